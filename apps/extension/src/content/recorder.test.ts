import type { PageCapture, RecordOptions } from "@periscope/sync/content";
import { expect, test, vi } from "vitest";
import { type RecorderParts, startRecorder } from "./recorder.js";

/** A recorder in a page, and how it records. */
function recorderIn(readyState: DocumentReadyState, { isOn = true, deaths = 0, mode = "article" } = {}) {
  let recorded: RecordOptions | undefined;
  let hear: ((message: object, sender: object, answer: (wrapped: object) => void) => void) | undefined;
  const listened: string[] = [];
  const runtime = {
    id: "extension",
    getURL: () => "chrome-extension://extension/",
    onMessage: { addListener: (call: typeof hear) => (hear = call) },
    async sendMessage() {
      deaths -= 1;
      if (deaths >= 0) throw new Error("The message channel closed before a response was received.");
      return { value: { mode: isOn ? mode : "off", form: isOn } };
    },
  };
  startRecorder({
    api: { runtime } as unknown as RecorderParts["api"],
    capture: {
      record: (options: RecordOptions) => void (recorded = options),
      explain: async (request: object) => request,
    } as unknown as PageCapture,
    document: { readyState, addEventListener: (type: string) => listened.push(type) } as unknown as Document,
  });
  const ask = (name: string) =>
    new Promise<object>((resolve) => hear?.({ periscopeExtension: name, ask: {} }, { id: "extension" }, resolve));
  return { recorded, listened, ask };
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

test.each(["article", "whole"])("a preview shows as much of a page as is recorded: %s", async (mode) => {
  expect(await recorderIn("loading", { mode }).ask("preview")).toEqual({ value: { type: "page", whole: mode === "whole" } });
});

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
