import { expect, test } from "vitest";
import * as background from "./background/index.js";
import * as content from "./content/index.js";
import * as core from "./core/index.js";
import * as entry from "./index.js";

const entries = { background, content, core };

test.each([
  ["createContextSync", "background"],
  ["connectContextSync", "background"],
  ["createCapture", "content"],
  ["privacyFilter", "core"],
  ["createQueue", "core"],
] as const)("%s says that it is to be imported from the entry %s", (name, from) => {
  expect(entry[name] as unknown as () => never).toThrow(`Import ${name} from "@periscope/sync/${from}".`);
  expect(entries[from]).toHaveProperty(name);
  // @ts-expect-error -- the compiler says so, too
  expect(() => entry.createQueue({ baseUrl: "https://periscope.example" })).toThrow(TypeError);
});
