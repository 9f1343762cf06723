import { library } from "@periscope/tsup";

// The private package of decisions is in it. What both entries use is in a file that they share.
export default library({
  entry: {
    "core/index": "src/core/index.ts",
    "background/index": "src/background/index.ts",
    "content/index": "src/content/index.ts",
    "readability/index": "src/readability/index.ts",
    "markdown/index": "src/markdown/index.ts",
    "testing/index": "src/testing/index.ts",
  },
  bundle: true,
  splitting: true,
  noExternal: ["@periscope/delivery"],
});
