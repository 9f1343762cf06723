import { expect, test } from "vitest";
import * as background from "./background/index.js";
import * as content from "./content/index.js";
import * as core from "./core/index.js";
import { connectContextSync, createCapture, createContextSync, createQueue, privacyFilter } from "./index.js";

const entries = { background, content, core };

test.each([
  ["createContextSync", createContextSync, "background"],
  ["connectContextSync", connectContextSync, "background"],
  ["createCapture", createCapture, "content"],
  ["privacyFilter", privacyFilter, "core"],
  ["createQueue", createQueue, "core"],
] as const)("%s says from which entry it is to be imported", (name, call, entry) => {
  expect(call as unknown as () => never).toThrow(`Import ${name} from "@periscope/sync/${entry}".`);
  expect(entries[entry]).toHaveProperty(name);
});

test("the compiler says so, too", () => {
  // @ts-expect-error -- it takes nothing but the words that say where it is
  expect(() => createQueue({ baseUrl: "https://periscope.example" })).toThrow(TypeError);
});
