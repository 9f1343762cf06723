import type { WorkerAsk } from "../background/asks.js";
import type { ForgetReport } from "../forget/forget-site.js";
import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { isWebPage, readSite } from "../sites/site-list.js";
import type { Words } from "../words/words.js";
import type { CurrentPage } from "./current-page.js";

/** Offers to forget the site of a page: asks once more, then says what was deleted. Returns how to show it for a page. */
export function forgetSection({ api, words }: PageContext, changed: () => Promise<void>) {
  const open = byId("forget", HTMLButtonElement);
  const ask = byId("forget-ask", HTMLElement);
  const yes = byId("forget-yes", HTMLButtonElement);
  const outcome = byId("forgotten", HTMLElement);
  let site: string | undefined;

  const show = (isOpen: boolean) => {
    ask.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
    (isOpen ? yes : open).focus();
  };
  onPress(open, () => {
    byId("forget-question", HTMLElement).textContent = words("forgetAsk", site ?? "");
    show(ask.hidden === true);
  });
  onPress(byId("forget-no", HTMLButtonElement), () => show(false));
  onPress(yes, async () => {
    if (site === undefined) return;
    outcome.textContent = words("forgetting");
    const message: WorkerAsk = { extension: "periscope", ask: "forget-site", site };
    const report = (await api.runtime.sendMessage(message).catch(() => null)) as ForgetReport | "list-full" | null;
    outcome.textContent = report === null ? words("troubleBackground") : reportWords(words, site, report);
    show(false);
    await changed();
  });

  return (page: CurrentPage | undefined): void => {
    site = page !== undefined && isWebPage(page.url) && !page.incognito ? readSite(new URL(page.url).hostname) : undefined;
    open.hidden = site === undefined;
  };
}

/** What was forgotten, and what to do where not all was. */
function reportWords(words: Words, site: string, report: ForgetReport | "list-full"): string {
  if (report === "list-full") return words("forgetFull");
  const { waiting, server } = report;
  const done = words("forgetDone", site, waiting, server.deleted);
  switch (server.is) {
    case "done":
      return server.hasMore ? `${done} ${words("forgetMore")}` : done;
    case "later":
      return `${done} ${words("forgetLater", server.seconds)}`;
    case "not-allowed":
      return `${done} ${words("forgetNotAllowed")}`;
    case "unreachable":
      return `${done} ${words("forgetUnreachable")}`;
  }
}
