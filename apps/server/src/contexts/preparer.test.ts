import { expect, test } from "vitest";
import { createPrivacyFilter } from "../privacy/privacy-filter.js";
import { type Capture, captureOf } from "./capture.js";
import { PreparationThread } from "./preparation-thread.js";
import { createPreparer, type PreparedCapture } from "./preparer.js";

const contents = [
  "# Tea\n\nCall <b>jo@mail.example</b> or pay with 4111 1111 1111 1111.\n\n",
  "<p>Ada Lovelace wrote of *kettles* and `getUserName`, at https://tea.example/?token=abc.</p>\n",
  "茶を飲む。Zwei grüne Tees, s'il vous plaît.\n",
];

const captures = Array.from({ length: 30 }, (_, index) =>
  captureOf({
    id: `ctx-${index}`,
    type: "page",
    tabId: "tab",
    capturedAt: new Date(index).toISOString(),
    content: (contents[index % contents.length] ?? "").repeat(15),
    contentFormat: index % 2 === 0 ? "markdown" : "html",
    privacyLevel: index % 4 < 2 ? "filtered" : "private",
    tabMetadata: { id: "tab", url: `https://shop.example/${index}`, title: `Tea ${index}`, incognito: index === 7 },
  }),
);

const filter = createPrivacyFilter({ denyList: ["Ada Lovelace"], blockedSites: ["shop.example/9"] }, "1");
/** Gives the thread time for its part of the work. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 2));
const bytes = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (part instanceof Uint8Array ? Buffer.from(part).toString("base64") : part));

async function wantedOf(given: readonly Capture[]): Promise<PreparedCapture[]> {
  await using alone = createPreparer(0);
  return await alone.prepare(given, filter, () => undefined);
}

test("a thread makes of captures what is made of them here", async () => {
  const wanted = await wantedOf(captures);
  expect(wanted.some(({ outcome }) => !outcome.captured)).toBe(true);
  const thread = new PreparationThread();
  const found: PreparedCapture[] = [];
  const failedClosed = () => expect.unreachable("nothing fails here");
  const claims = new Int32Array(new SharedArrayBuffer(4 * captures.length));
  await new Promise<void>((ended) =>
    thread.give(
      { captures, claims, filter: { ...filter.recipe, name: filter.policy } },
      { prepared: (place, prepared) => (found[place] = prepared), failedClosed, ended },
    ),
  );
  await thread.end();
  expect(bytes(found)).toBe(bytes(wanted));
});

test("what is shared with a thread comes in the order of the captures, and whole when the thread is gone", async () => {
  const wanted = bytes(await wantedOf(captures));
  const shared = createPreparer(1);
  for (let round = 0; round < 2; round++) {
    const both = Promise.all([shared.prepare(captures, filter, turn), shared.prepare(captures.toReversed(), filter, turn)]);
    if (round === 1) await shared[Symbol.asyncDispose]();
    const [first, second] = await both;
    expect(bytes(first)).toBe(wanted);
    expect(bytes(second.toReversed())).toBe(wanted);
  }
});

/** What no message can carry. */
const unsendable = { ...captures[0]!, sent: () => {} } as Capture;

test("a job that cannot be sent leaves nothing behind: the thread's next answer is of the next job", async () => {
  const thread = new PreparationThread();
  const told: string[] = [];
  const give = (name: string, given: readonly Capture[]) =>
    new Promise<void>((resolve) => {
      const ended = () => (told.push(`${name} ended`), resolve());
      const claims = new Int32Array(new SharedArrayBuffer(4 * given.length));
      const failedClosed = () => expect.unreachable("nothing fails here");
      const prepared = (place: number) => void told.push(`${name} ${place}`);
      thread.give({ captures: given, claims, filter: { ...filter.recipe, name: filter.policy } }, { prepared, failedClosed, ended });
    });
  await expect(give("first", [unsendable])).rejects.toThrow("could not be cloned");
  expect(thread.jobs).toBe(0);
  await Promise.all([give("second", captures.slice(0, 2)), give("third", captures.slice(0, 1))]);
  expect(told).toEqual(["second 0", "second 1", "second ended", "third 0", "third ended"]);
  expect(thread.jobs).toBe(0);
  await thread.end();
});

test("what cannot be sent to a thread is made here", async () => {
  const given = [unsendable, ...captures];
  await using shared = createPreparer(1);
  expect(bytes(await shared.prepare(given, filter, turn))).toBe(bytes(await wantedOf(given)));
});
