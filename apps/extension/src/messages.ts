import type { PageText } from "@periscope/sync/background";
import type { Captured, Preview, RecordMode } from "@periscope/sync/content";
import type { ExtensionApi } from "./extension-api.js";
import type { ForgetReport } from "./forget/forget.js";
import type { Outcome } from "./background/badge.js";
import type { PageNote } from "./background/page-notes.js";

/** Every message within the extension: its name, what is asked, and what is answered. */
export interface Messages {
  /** What the recorder of a page keeps of it now, and whether it listens to forms. */
  recording: { ask: object; answer: { mode: RecordMode; form: boolean } };
  pageNote: { ask: { tabId: number }; answer: PageNote | undefined };
  recordNow: { ask: { tabId: number }; answer: Outcome };
  forgetSite: { ask: { site: string }; answer: ForgetReport | "list-full" };
  withdrawConsent: { ask: object; answer: true };
  /** The text of a PDF, asked of the page that can read one. */
  readPdf: { ask: { url: string }; answer: PageText | undefined };
  /** What the recorder of a page would send. */
  preview: { ask: object; answer: Preview };
  /** What a person asks the recorder of a page for. */
  page: { ask: object; answer: Captured };
  selection: { ask: object; answer: Captured };
  element: { ask: object; answer: Captured };
  media: { ask: { srcUrl?: string }; answer: Captured };
}

type Name = keyof Messages;
export type Answers = { [N in Name]?: (ask: Messages[N]["ask"]) => Promise<Messages[N]["answer"]> };

/** A message on its way. JSON drops `undefined`, so the answer is wrapped. */
interface Envelope {
  periscopeExtension: Name;
  ask: Messages[Name]["ask"];
}

/** What a content script may ask the background. */
const openToContent: readonly Name[] = ["recording"];
/** What the recorder in a page is asked: only it has answers to these. */
const askedOfContent: readonly Name[] = ["preview", "page", "selection", "element", "media"];

/** Sends a message. Rejects when it is not answered. */
export async function send<N extends Name>(
  runtime: Pick<ExtensionApi["runtime"], "sendMessage">,
  name: N,
  ask: Messages[N]["ask"],
): Promise<Messages[N]["answer"]> {
  const envelope: Envelope = { periscopeExtension: name, ask };
  const wrapped = await runtime.sendMessage<Envelope, { value: Messages[N]["answer"] } | null | undefined>(envelope);
  if (wrapped === undefined || wrapped === null) throw new Error(`Nobody answered "${name}".`);
  return wrapped.value;
}

/** Answers messages. Call it in the first turn of the background, a page or a content script. */
export function answer(runtime: Pick<ExtensionApi["runtime"], "getURL" | "id" | "onMessage">, answers: Answers): void {
  runtime.onMessage.addListener((message: unknown, sender, sendResponse: (answer: unknown) => void) => {
    const { periscopeExtension: name, ask } = (message ?? {}) as Partial<Envelope>;
    if (name === undefined || sender.id !== runtime.id || !Object.hasOwn(answers, name)) return undefined;
    const isOwnPage = sender.url?.startsWith(runtime.getURL("")) === true;
    // A worker that asks the recorder may have no address.
    if (!isOwnPage && !openToContent.includes(name) && !askedOfContent.includes(name)) return undefined;
    const act = answers[name] as (ask: unknown) => Promise<unknown>;
    void act(ask).then(
      (value) => sendResponse({ value }),
      () => sendResponse(null),
    );
    return true;
  });
}
