import { library } from "@periscope/tsup";

// The private package of decisions is in it. What entries share is in a file of its own.
export default library({
  entry: {
    index: "src/index.ts",
    "background/index": "src/background/index.ts",
    "content/index": "src/content/index.ts",
    "core/index": "src/core/index.ts",
  },
  bundle: true,
  splitting: true,
  noExternal: ["@periscope/delivery"],
});
