import type { HistoryItem, Periscope, SearchHit } from "@periscope/client";
import { failureWords } from "../connection/connection.js";
import { byId, icon, make, onEvent, onPress, say } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { isWebPage } from "../sites/sites.js";
import { timeWords } from "../words/words.js";
import type { View } from "./view.js";

const limit = 20;
/** Milliseconds without a key press before the server is asked. */
const typingMs = 250;

/** The pages that were stored last, or that a search finds, each with a button that deletes it. Returns how to show a view. */
export function recentCard({ words, now }: PageContext, changed: () => Promise<void>): (view: View) => void {
  const search = byId("search", HTMLInputElement);
  const list = byId("pages");
  const note = byId("recent-note");
  let client: Periscope | undefined;
  let hasTrouble = false;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownFact: string | undefined;

  onEvent(search, "input", async () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), typingMs);
  });

  async function load(): Promise<void> {
    if (client === undefined) return;
    asked += 1;
    const turn = asked;
    const query = search.value.trim();
    try {
      const { items } = await (query === "" ? client.history({ limit, type: "page" }) : client.search({ query, limit, type: "page" }));
      // A later search has its answer already.
      if (turn !== asked) return;
      list.replaceChildren(...items.map(row));
      say(note, items.length > 0 ? undefined : words(query === "" ? "recentNone" : "recentNoMatch"));
    } catch (error) {
      if (turn !== asked) return;
      // What another search has found is no answer to this one.
      if (list.dataset["query"] !== query) list.replaceChildren();
      // What is wrong with the server stands below already.
      say(note, hasTrouble ? undefined : failureWords(error, client.baseUrl, words));
    }
    list.hidden = list.children.length === 0;
    list.dataset["query"] = query;
  }

  function row({ contextId, title, url, timestamp }: HistoryItem | SearchHit): HTMLElement {
    const host = isWebPage(url) ? new URL(url).hostname : url;
    const name = title || host;
    const text = [
      make("span", { class: "one-line" }, name),
      make("span", { class: "hint one-line" }, `${host} · ${timeWords(Date.parse(timestamp), now())}`),
    ];
    const link = isWebPage(url) ? make("a", { href: url, target: "_blank" }, ...text) : make("span", {}, ...text);
    const remove = make("button", { type: "button", class: "quiet square", "aria-label": words("deletePage", name) }, icon("trash"));
    const item = make(
      "li",
      {},
      make("span", { class: "tile", "aria-hidden": "true" }, host.replace(/^www\./, "").slice(0, 1)),
      link,
      remove,
    );
    let isAsked = false;
    onPress(remove, async () => {
      if (!isAsked) {
        isAsked = true;
        remove.className = "danger";
        remove.removeAttribute("aria-label");
        remove.textContent = words("deleteSure");
        return;
      }
      try {
        const index = [...list.children].indexOf(item);
        await client?.delete(contextId);
        await load();
        (list.children[Math.min(index, list.children.length - 1)]?.querySelector("button") ?? search).focus();
        await changed();
      } catch (error) {
        say(note, failureWords(error, client?.baseUrl ?? "", words));
      }
    });
    return item;
  }

  return (view) => {
    client = view.client;
    hasTrouble = view.trouble !== undefined;
    byId("recent").hidden = client === undefined;
    // A page that was just stored belongs on top.
    const fact = `${client?.baseUrl} ${view.fact?.is}`;
    if (fact !== shownFact) void load();
    shownFact = fact;
  };
}
