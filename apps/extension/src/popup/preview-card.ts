import type { Preview } from "@periscope/sync/content";
import { askPage } from "../background/requests.js";
import { byId, make, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { kindWords } from "../words/state-words.js";
import { messageName, type Words } from "../words/words.js";
import type { View } from "./view.js";

/** Shows what would be sent of the page, and what would be removed. Returns how to show a view. */
export function previewCard({ api, words }: PageContext): (view: View) => void {
  const button = byId("preview");
  const shown = byId("preview-shown");
  let tabId = 0;

  onPress(button, async () => {
    shown.hidden = !shown.hidden;
    button.setAttribute("aria-expanded", String(!shown.hidden));
    if (shown.hidden) return;
    const preview = await askPage(api, tabId, "preview", {}).catch(() => undefined);
    shown.replaceChildren(...previewParts(words, preview));
    shown.dataset["ready"] = "";
  });
  return ({ page, state }) => {
    tabId = page?.tabId ?? 0;
    button.hidden = state?.is !== "recorded";
    shown.hidden ||= button.hidden;
    button.setAttribute("aria-expanded", String(!shown.hidden));
  };
}

function previewParts(words: Words, preview: Preview | undefined): Node[] {
  if (preview?.status === "blocked") return [make("p", {}, words("factRule", kindWords(preview.rule)))];
  if (preview?.status !== "ready") return [make("p", { class: "bad" }, words("previewFailed"))];
  const { context, level, removed } = preview;
  const counts = Object.entries(removed).filter(([, count]) => count > 0);
  const countWords = counts.map(([kind, count]) => `${kindWords(kind)}: ${count}`).join(", ");
  const content = { class: "shown", tabindex: "0", role: "region", "aria-label": words("previewText") };
  return [
    make("p", { class: "hint" }, words("previewNote", words(messageName("level", level)))),
    make("p", { id: "removed" }, words("previewRemoved", countWords || words("previewNothing"))),
    make("p", { class: "one-line" }, context.url ?? ""),
    make("div", content, context.content || words("previewNothing")),
  ];
}
