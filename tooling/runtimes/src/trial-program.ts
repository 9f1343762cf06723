import { runTrial, type TrialOptions } from "./trial.ts";

// Usage: <runtime> trial-program.ts OPTIONS-AS-JSON. Prints the report as JSON.

console.log(JSON.stringify(await runTrial(JSON.parse(process.argv[2] ?? "") as TrialOptions)));
