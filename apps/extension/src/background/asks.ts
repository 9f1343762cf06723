import type { ExtensionApi } from "../extension-api.js";
import type { ForgetReport } from "../forget/forget-site.js";
import type { Captures } from "../settings/settings.js";

/** What pages and recorders of the extension ask its worker, beside what they ask the queue. */
export type WorkerAsk = { extension: "periscope" } & (
  | { ask: "captures" }
  | { ask: "withdraw-consent" }
  | { ask: "forget-site"; site: string }
);

/** Who answers. */
export interface Answers {
  captures: () => Promise<Captures | undefined>;
  /** Answered with true. */
  withdrawConsent: () => Promise<void>;
  forgetSite: (site: string) => Promise<ForgetReport | "list-full">;
}

/** Answers asks. To be called in the first turn of a worker. */
export function answerAsks(runtime: Pick<ExtensionApi["runtime"], "getURL" | "id" | "onMessage">, answers: Answers): void {
  runtime.onMessage.addListener((message: unknown, sender, sendResponse: (answer: unknown) => void) => {
    const ask = message as Partial<WorkerAsk> | null;
    if (typeof ask !== "object" || ask?.extension !== "periscope" || sender.id !== runtime.id) return undefined;
    // A recorder has the address of its page, and may do no more than ask what to record.
    const isPageOfOurs = sender.url?.startsWith(runtime.getURL("")) === true;
    const answered =
      ask.ask === "captures"
        ? answers.captures()
        : ask.ask === "withdraw-consent" && isPageOfOurs
          ? answers.withdrawConsent().then(() => true)
          : ask.ask === "forget-site" && isPageOfOurs && typeof ask.site === "string"
            ? answers.forgetSite(ask.site)
            : undefined;
    if (answered === undefined) return undefined;
    void answered.catch(() => null).then(sendResponse);
    return true;
  });
}
