import { ConnectionError, Periscope, PeriscopeError } from "@periscope/client";
import { answer } from "./answer.ts";

// Usage: node src/main.ts WORDS … Says what page of the user's history was about these words.

const words = process.argv.slice(2).join(" ");
if (words === "") {
  console.error("What was the page about? For example: node src/main.ts lighthouse lens");
  process.exit(2);
}
try {
  console.log(await answer(new Periscope(), words));
} catch (error) {
  if (!PeriscopeError.is(error)) throw error;
  console.error(ConnectionError.is(error) ? `${error.message}\nStart the service with: npx pnpm@12 start` : error.message);
  process.exitCode = 1;
}
