import { expect, test } from "vitest";
import { defaultDataDirectory } from "./default-data-directory.js";

test.each([
  ["linux", {}, "/home/ada/.local/share/periscope"],
  ["linux", { XDG_DATA_HOME: "/data" }, "/data/periscope"],
  ["linux", { XDG_DATA_HOME: "relative" }, "/home/ada/.local/share/periscope"],
  ["linux", { XDG_DATA_HOME: "" }, "/home/ada/.local/share/periscope"],
  ["freebsd", {}, "/home/ada/.local/share/periscope"],
  ["darwin", {}, "/home/ada/Library/Application Support/periscope"],
  ["darwin", { XDG_DATA_HOME: "/data" }, "/data/periscope"],
  ["win32", { LOCALAPPDATA: "/local" }, "/local/periscope"],
  ["win32", {}, "/home/ada/AppData/Local/periscope"],
])("%s with %j", (platform, env, expected) => {
  expect(defaultDataDirectory(env, { platform, homeDirectory: "/home/ada", workingDirectory: "/" })).toBe(expected);
});
