import type { Preview } from "@periscope/sync/content";
import { askPage } from "../background/requests.js";
import { byId, make, onEvent } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { kindWords, levelNames } from "../words/state-words.js";
import type { Words } from "../words/words.js";
import type { CurrentPage } from "./current-page.js";

/** Shows what would be sent of a page and what was removed of it, when it is unfolded. Returns how to tell it which page. */
export function previewSection({ api, words }: PageContext) {
  const details = byId("preview", HTMLDetailsElement);
  const shown = byId("preview-shown", HTMLElement);
  let page: CurrentPage | undefined;

  onEvent(details, "toggle", async () => {
    if (!details.open || page === undefined) return;
    shown.replaceChildren(make("p", { class: "hint" }, "…"));
    const preview = (await askPage(api, page.tabId, { ask: "preview" }).catch(() => undefined)) as Preview | undefined;
    shown.replaceChildren(...previewParts(words, preview));
    shown.dataset["ready"] = "";
  });
  return (current: CurrentPage | undefined): void => {
    page = current;
  };
}

function previewParts(words: Words, preview: Preview | undefined): Node[] {
  if (preview?.status === "blocked") return [make("p", {}, words("previewNotSent", kindWords(preview.rule)))];
  if (preview?.status !== "ready") return [make("p", { class: "bad" }, words("previewFailed"))];
  const { capture, level, removed } = preview;
  const counts = Object.entries(removed).filter(([, count]) => count > 0);
  const empty = words("previewEmpty");
  return [
    make("p", { class: "hint" }, words("previewNote")),
    make("h3", {}, words("previewRemoved")),
    counts.length === 0
      ? make("p", {}, words("previewNothingRemoved"))
      : make("ul", { id: "removed" }, ...counts.map(([kind, count]) => make("li", {}, words("previewCount", kindWords(kind), count)))),
    make(
      "dl",
      {},
      make("dt", {}, words("levelsLevel")),
      make("dd", {}, words(levelNames[level])),
      make("dt", {}, words("previewAddress")),
      make("dd", {}, capture.url),
      make("dt", {}, words("previewPageTitle")),
      make("dd", {}, capture.title || empty),
      make("dt", {}, words("previewText")),
      make(
        "dd",
        {},
        make("div", { class: "shown", tabindex: "0", role: "region", "aria-label": words("previewText") }, capture.content || empty),
      ),
    ),
  ];
}
