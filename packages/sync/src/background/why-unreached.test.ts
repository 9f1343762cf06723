import { expect, test } from "vitest";
import { BackgroundWorld } from "../../test/background-world.js";
import { cuts } from "../testing/index.js";
import type { ExtensionApis } from "./index.js";

type Contains = NonNullable<ExtensionApis["permissions"]>["contains"];

/** Access as a manifest gives it that names hosts. */
const granted =
  (...patterns: string[]): Contains =>
  async ({ origins }) =>
    origins.every((origin) => patterns.includes(origin));

/** Firefox has no ports in patterns. */
const refusesPorts =
  (contains: Contains): Contains =>
  async (asked) => {
    if (asked.origins.some((origin) => /:\d/.test(origin))) throw new Error("Invalid url pattern");
    return await contains(asked);
  };

test.each<[string, Contains | undefined, RegExp]>([
  ["with access", granted("http://periscope.test:3000/*"), /^The service cannot be reached\. Is it running, and is the address right\?$/],
  ["without access", granted("https://else.example/*"), /no access to http:\/\/periscope\.test:3000\/\*: add it to `host_permissions`/],
  ["in Firefox, with access", refusesPorts(granted("http://periscope.test/*")), /reached\. Is it running/],
  ["in Firefox, without access", refusesPorts(granted()), /no access to http:\/\/periscope\.test\/\*: add it/],
  ["where nobody can tell", undefined, /Is it running, .*Does `host_permissions` in the manifest name it\?$/],
  ["where the browser fails to tell", () => Promise.reject(new Error("no")), /Is it running, .*Does `host_permissions`/],
  ["where the browser never tells", () => new Promise(() => {}), /^The service cannot be reached\.$/],
])("what may be the cause is said when no answer comes, %s", async (_, contains, words) => {
  const world = new BackgroundWorld();
  world.service.always = cuts;
  const apis = { ...world.browser.start(), ...(contains !== undefined && { permissions: { contains } }) };
  const { sync } = world.start({ apis, endpoint: "http://periscope.test:3000/api/v1" });
  await sync.enqueue({ type: "heartbeat" });
  await world.pass(6_000);
  expect(await sync.status()).toMatchObject({ reason: "backing-off", lastError: expect.stringMatching(words) });
});
