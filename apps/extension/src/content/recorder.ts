import type { Captured, PageCapture } from "@periscope/sync/content";
import type { ExtensionApi } from "../extension-api.js";
import { answer, type Messages, send } from "../messages.js";

export interface RecorderParts {
  api: Pick<ExtensionApi, "runtime">;
  capture: PageCapture;
  document: Document;
}

/** Milliseconds after which a question is repeated whose answer was lost. */
const repeatMs = 500;

/**
 * Records a page as long as it is open, and what a person asks for. Forms are listened to only when the person switched them on. Of a page that was open before it
 * came nothing is recorded until that moves to another address: Firefox puts the scripts of an extension that was updated or switched on into such pages. In
 * doubt, as while a page is being loaded, it came in time: a page that is recorded twice is better than one that is lost.
 */
export function startRecorder({ api, capture, document }: RecorderParts): void {
  let pointedAt: Element | undefined;
  const pointAt = (event: Event) => {
    // The target of an event in a shadow tree is its host.
    const [target] = event.composedPath();
    pointedAt = target instanceof Element ? target : undefined;
  };
  document.addEventListener("contextmenu", pointAt, { capture: true });
  const recording = capture.record({ skipOpenPage: document.readyState === "complete", mode: async () => (await wanted())?.mode ?? "off" });
  void listenToForms();

  answer(api.runtime, {
    preview: async () => await capture.explain({ type: "page", whole: (await wanted())?.mode === "whole" }),
    page: () => recording.now(),
    // What is selected in a frame is not seen from here, and what was selected here before is not meant.
    selection: async () => (document.activeElement?.matches("iframe, frame") === true ? { status: "empty" } : await capture.selection()),
    element: async () => await captureIt("element", shownAt()),
    media: async ({ srcUrl }) => await captureIt("media", mediaAt(srcUrl) ?? shownAt()),
  });

  /** What was pointed at, if it is still in the page. A recorder that came later has not seen it. */
  function shownAt(): Element | undefined {
    return pointedAt?.isConnected === true ? pointedAt : undefined;
  }

  async function captureIt(type: "element" | "media", element: Element | undefined): Promise<Captured> {
    return element === undefined ? { status: "empty" } : await capture[type](element);
  }

  function mediaAt(srcUrl: string | undefined): Element | undefined {
    const kinds = "img, video, audio";
    if (shownAt()?.matches(kinds) === true) return pointedAt;
    return [...document.querySelectorAll<HTMLImageElement | HTMLMediaElement>(kinds)].find(({ currentSrc }) => currentSrc === srcUrl);
  }

  /** What is to be recorded; undefined while nothing is, and when the worker does not answer. One that is ended while it is asked is asked once more. */
  async function wanted(): Promise<Messages["recording"]["answer"] | undefined> {
    const ask = () => send(api.runtime, "recording", {});
    const askAgain = async () => {
      await new Promise((resolve) => setTimeout(resolve, repeatMs));
      return await ask();
    };
    return await ask()
      .catch(askAgain)
      .catch(() => undefined);
  }

  async function listenToForms(): Promise<void> {
    if ((await wanted())?.form !== true) return;
    document.addEventListener(
      "submit",
      ({ target }) => {
        if (target instanceof HTMLFormElement) void capture.form(target);
      },
      { capture: true },
    );
  }
}
