import type { PageCapture } from "@periscope/sync/content";
import type { ExtensionApi } from "../extension-api.js";
import { send } from "../messages.js";
import type { Captures } from "../settings/settings.js";
import { type PageAsk, readPageAsk } from "./page-ask.js";

/** What a recorder works with. */
export interface RecorderParts {
  api: Pick<ExtensionApi, "runtime">;
  capture: PageCapture;
  document: Document;
  /** Whether it came into a page that was open already: of that nothing is recorded before it moves to another address. Default no. */
  isLate?: boolean;
  /** Milliseconds that a page has to settle after it was loaded. Default 1,000. */
  settleMs?: number;
}

/** Milliseconds after which a question is repeated whose answer was lost. */
const repeatMs = 500;

/** What the scripts of this extension in one page know of each other. */
export interface ArrivalMarks {
  periscopeRecorder?: true;
  periscopeIsLate?: boolean;
}

/**
 * Records a page once it has settled, and again at each address that it moves to without being loaded anew, of which the worker tells; and what a
 * person asks for. Forms are listened to only when the person switched them on.
 */
export function startRecorder({ api, capture, document, isLate = false, settleMs = 1_000 }: RecorderParts): void {
  let isBegun = false;
  let recorded = isLate ? document.URL : undefined;
  let pointedAt: Element | undefined;
  document.addEventListener("contextmenu", ({ target }) => (pointedAt = target instanceof Element ? target : undefined), { capture: true });

  api.runtime.onMessage.addListener((message: unknown, sender, sendResponse: (answer: unknown) => void) => {
    if (sender.id !== api.runtime.id) return undefined;
    const { periscope, kind } = (message ?? {}) as { periscope?: unknown; kind?: unknown };
    if (periscope === 1 && kind === "settled" && isBegun) void recordIfWanted();
    const ask = readPageAsk(message);
    if (ask === undefined) return undefined;
    void answer(ask).then(sendResponse, () => sendResponse({ status: "unavailable", reason: "failed", message: "" }));
    return true;
  });

  async function answer(ask: PageAsk): Promise<unknown> {
    switch (ask.ask) {
      case "preview":
        return await capture.explain();
      case "page":
        recorded = document.URL;
        return await capture.page();
      case "selection":
        return await capture.selection();
      case "element":
        return await capture.element(pointedAt ?? document.body);
      case "media":
        return await capture.media(mediaAt(ask.srcUrl) ?? pointedAt ?? document.body);
    }
  }

  function mediaAt(srcUrl: string | undefined): Element | undefined {
    const all = document.querySelectorAll<HTMLImageElement | HTMLMediaElement>("img, video, audio");
    return [...all].find((element) => element === pointedAt) ?? [...all].find(({ currentSrc }) => currentSrc === srcUrl);
  }

  async function recordIfWanted(): Promise<void> {
    if ((await wanted())?.page === true) await record();
  }

  /** A page that changed its address while it was loaded is told of as settled as well, and is recorded once. */
  async function record(): Promise<void> {
    if (recorded === document.URL) return;
    recorded = document.URL;
    await capture.page();
  }

  /** What is to be recorded; undefined while nothing is, and when the worker does not answer. One that is ended while it is asked is asked once more. */
  async function wanted(): Promise<Captures | undefined> {
    const ask = () => send(api.runtime, "captures", {});
    const askAgain = async () => {
      await new Promise((resolve) => setTimeout(resolve, repeatMs));
      return await ask();
    };
    return await ask()
      .catch(askAgain)
      .catch(() => undefined);
  }

  async function start(): Promise<void> {
    const captures = await wanted();
    if (captures?.form === true) {
      document.addEventListener(
        "submit",
        ({ target }) => {
          if (target instanceof HTMLFormElement) void capture.form(target);
        },
        { capture: true },
      );
    }
    isBegun = true;
    if (captures?.page === true) await record();
  }

  // A page that is being shown for the first time seldom holds its text yet.
  const begin = () => setTimeout(() => void start(), settleMs);
  if (document.readyState === "complete") begin();
  else document.defaultView?.addEventListener("load", begin, { once: true });
}
