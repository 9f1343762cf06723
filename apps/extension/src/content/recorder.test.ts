import type { PageCapture } from "@periscope/sync/content";
import { expect, test, vi } from "vitest";
import { type RecorderParts, startRecorder } from "./recorder.js";

/** A recorder in a page that is loaded, and what it recorded. */
function recorderAt(url: string, { isLate = false, deaths = 0 } = {}) {
  let settled: (() => void) | undefined;
  const page = { URL: url, readyState: "complete", addEventListener: () => {} };
  const pages: string[] = [];
  const runtime = {
    id: "extension",
    onMessage: {
      addListener: (listen: (message: unknown, sender: object, respond: () => void) => unknown) =>
        (settled = () => void listen({ periscope: 1, kind: "settled" }, { id: "extension" }, () => {})),
    },
    async sendMessage() {
      deaths -= 1;
      if (deaths >= 0) throw new Error("The message channel closed before a response was received.");
      return { value: { page: true, form: false } };
    },
  };
  startRecorder({
    api: { runtime } as unknown as RecorderParts["api"],
    capture: { page: async () => void pages.push(page.URL) } as unknown as PageCapture,
    document: page as unknown as Document,
    isLate,
  });
  return {
    pages,
    /** The page takes an address without being loaded anew, and the worker tells of it. */
    async moveTo(next: string) {
      page.URL = next;
      settled?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test("a page that rewrites its address while it is loaded is recorded once, and again at each other address", async () => {
  vi.useFakeTimers();
  try {
    const { pages, moveTo } = recorderAt("https://a.example/?from=mail");
    await moveTo("https://a.example/");
    expect(pages).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    await moveTo("https://a.example/");
    expect(pages).toEqual(["https://a.example/"]);
    await moveTo("https://a.example/b");
    await moveTo("https://a.example/");
    expect(pages).toEqual(["https://a.example/", "https://a.example/b", "https://a.example/"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a recorder that came into a page that was open records nothing of it, but the next address", async () => {
  vi.useFakeTimers();
  try {
    const { pages, moveTo } = recorderAt("https://a.example/", { isLate: true });
    await vi.advanceTimersByTimeAsync(1_000);
    await moveTo("https://a.example/");
    expect(pages).toEqual([]);
    await moveTo("https://a.example/b");
    expect(pages).toEqual(["https://a.example/b"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a page is recorded though the background was ended while it was asked", async () => {
  vi.useFakeTimers();
  try {
    const { pages } = recorderAt("https://a.example/", { deaths: 1 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(pages).toEqual(["https://a.example/"]);
  } finally {
    vi.useRealTimers();
  }
});
