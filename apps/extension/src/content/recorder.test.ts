import type { PageCapture, RecordOptions } from "@periscope/sync/content";
import { expect, test, vi } from "vitest";
import { type RecorderParts, startRecorder } from "./recorder.js";

/** A recorder in a page, and how it records. */
function recorderIn(readyState: DocumentReadyState, { isOn = true, deaths = 0 } = {}) {
  let recorded: RecordOptions | undefined;
  const listened: string[] = [];
  const runtime = {
    id: "extension",
    onMessage: { addListener: () => {} },
    async sendMessage() {
      deaths -= 1;
      if (deaths >= 0) throw new Error("The message channel closed before a response was received.");
      return { value: { mode: isOn ? "article" : "off", form: isOn } };
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
])("a recorder that comes into a page that is %s: whether that page is skipped is %s", (readyState, skipOpenPage) => {
  expect(recorderIn(readyState).recorded?.skipOpenPage).toBe(skipOpenPage);
});

test.each([true, false])("the worker is asked whether pages are recorded: %s", async (isOn) => {
  const { recorded, listened } = recorderIn("loading", { isOn });
  expect(await modeOf(recorded)).toBe(isOn ? "article" : "off");
  expect(listened.includes("submit")).toBe(isOn);
});

const modeOf = async (recorded: RecordOptions | undefined) =>
  typeof recorded?.mode === "function" ? await recorded.mode() : recorded?.mode;

test("the worker is asked once more when it was ended meanwhile", async () => {
  vi.useFakeTimers();
  try {
    // One question is that of the forms.
    const { recorded } = recorderIn("loading", { deaths: 2 });
    const answer = modeOf(recorded);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBe("article");
  } finally {
    vi.useRealTimers();
  }
});
