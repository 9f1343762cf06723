import type { PageCapture, RecordOptions } from "@periscope/sync/content";
import { expect, test, vi } from "vitest";
import { type RecorderParts, startRecorder } from "./recorder.js";

/** A recorder in a page, and how it records. */
function recorderIn(readyState: DocumentReadyState, { captures = { page: true, form: false }, deaths = 0 } = {}) {
  let recorded: RecordOptions | undefined;
  const listened: string[] = [];
  const runtime = {
    id: "extension",
    onMessage: { addListener: () => {} },
    async sendMessage() {
      deaths -= 1;
      if (deaths >= 0) throw new Error("The message channel closed before a response was received.");
      return { value: captures };
    },
  };
  startRecorder({
    api: { runtime } as unknown as RecorderParts["api"],
    capture: { record: (options: RecordOptions) => void (recorded = options) } as unknown as PageCapture,
    document: { readyState, addEventListener: (type: string) => listened.push(type) } as unknown as Document,
  });
  return { recorded, listened };
}

test.each<[DocumentReadyState, boolean]>([
  ["loading", false],
  ["interactive", false],
  ["complete", true],
])("a recorder that comes into a page that is %s: whether it is late is %s", (readyState, isLate) => {
  expect(recorderIn(readyState).recorded?.isLate).toBe(isLate);
});

test.each([true, false])("the worker is asked whether pages are recorded: %s", async (page) => {
  const { recorded, listened } = recorderIn("loading", { captures: { page, form: page } });
  expect(await recorded?.isWanted?.()).toBe(page);
  expect(listened.includes("submit")).toBe(page);
});

test("the worker is asked once more when it was ended meanwhile", async () => {
  vi.useFakeTimers();
  try {
    // One question is that of the forms.
    const { recorded } = recorderIn("loading", { deaths: 2 });
    const answer = recorded?.isWanted?.();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
