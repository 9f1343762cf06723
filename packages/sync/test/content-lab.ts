import { messageOfCapture } from "../src/background/capture-message.js";
import { type CaptureOptions, createCapture } from "../src/content/index.js";
import { passFilter } from "../src/core/message.js";
import { privacyFilter } from "../src/core/privacy-filter.js";
import type { Capture, Request } from "../src/protocol.js";
import { manualClock } from "./testing/manual-clock.js";

/** What runs in the page of a test as a content script does: captures, and a background that keeps what it receives. */
export const lab = {
  open({ blocks = () => false, isUnwanted = () => false, fails = () => undefined, ...options }: Partial<CaptureOptions> & Answering = {}) {
    const sent: Capture[] = [];
    const sendMessage = async (message: unknown) => await answer(message as Request, sent, { blocks, isUnwanted, fails });
    const host = { apis: () => ({ runtime: { id: "test", sendMessage } }), ...options.host };
    return { capture: createCapture({ ...options, host }), sent };
  },
  /** A clock on which each look at it takes `ms`. */
  ticking(ms: number) {
    let time = 0;
    return { now: () => (time += ms) };
  },
  /** Says whether the page is visible and has the focus. */
  looks() {
    let visibility: DocumentVisibilityState = "visible";
    let hasFocus = true;
    Object.defineProperty(Document.prototype, "visibilityState", { get: () => visibility });
    document.hasFocus = () => hasFocus;
    return {
      show(state: DocumentVisibilityState) {
        visibility = state;
        document.dispatchEvent(new Event("visibilitychange"));
      },
      focus(has: boolean) {
        hasFocus = has;
        dispatchEvent(new Event(has ? "focus" : "blur"));
      },
    };
  },
  /** What a recorder runs on when a test says what time it is; `pass` lets all happen that is due by then. */
  manual() {
    const clock = manualClock();
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    return {
      host: { after: clock.after, epoch: clock.now, pause: async () => 8 },
      async pass(ms: number) {
        await turn();
        clock.advance(ms);
        await turn();
      },
    };
  },
};

export type Lab = typeof lab;

interface Answering {
  /** Whether the background keeps a capture out. */
  blocks?: (capture: Capture) => boolean;
  /** Whether it takes no heartbeats of the page. */
  isUnwanted?: () => boolean;
  /** What becomes of a capture, or of its answer, when it is not queued. */
  fails?: () => "dropped" | "lost" | undefined;
}

async function answer(request: Request, sent: Capture[], { blocks, isUnwanted, fails }: Required<Answering>): Promise<unknown> {
  const answered = (value: unknown) => ({ periscope: 1, ok: true, value });
  if (request.kind === "heartbeat")
    return answered(isUnwanted() ? { status: "blocked", rule: "not-wanted" } : { status: "queued", id: request.id });
  if (request.kind === "enqueue") {
    if (blocks(request.capture)) return answered({ status: "blocked", rule: "blocked" });
    sent.push(request.capture);
    if (fails() === "lost") return undefined;
    if (fails() === "dropped") return answered({ status: "dropped", reason: "storage-failed" });
    return answered({ status: "queued", id: request.id });
  }
  if (request.kind !== "explain") return undefined;
  const { url, title, capturedAt: timestamp } = request.capture;
  const tab = { id: 7, windowId: 1, incognito: false, pinned: false, active: true, url, title };
  return answered(await passFilter(messageOfCapture(request.capture, tab, { id: "m", timestamp }), privacyFilter()));
}
