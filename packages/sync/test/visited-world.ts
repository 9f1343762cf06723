import type { VisitKind } from "../src/protocol.js";
import { BackgroundWorld, handIn } from "./background-world.js";

/** Whose pages are visited. */
export const site = "https://app.example";

/** What a script saw. */
export interface Seen {
  of?: string;
  text?: string;
  kind?: VisitKind;
  url?: string;
  isActive?: boolean;
}

/** What a content script records of a visit. */
export const visited = (id: string, { of = `c-${id}`, text = "", kind = "navigate", url = `${site}/`, isActive = true }: Seen = {}) =>
  handIn({ contextId: of, type: text === "" ? "navigation" : "page", visit: kind, url, content: text, isActive }, id);

/** The world in which a tab shows a page of the site. */
export function visitedWorld(): { world: BackgroundWorld; record: (request: object, more?: { tabId?: number }) => Promise<unknown> } {
  const world = new BackgroundWorld();
  world.start();
  const tab = { windowId: 1, incognito: false, pinned: false, url: `${site}/` };
  for (const id of [7, 8]) world.browser.tabs.set(id, { ...tab, id, active: id === 7 });
  return {
    world,
    async record(request, { tabId = 7 } = {}) {
      const answer = await world.ask<{ status: string; contextId: string }>(request, {
        tab: world.browser.tabs.get(tabId)!,
        url: `${site}/`,
      });
      await world.pass(3_500);
      return answer?.ok === true ? answer.value.contextId : answer;
    },
  };
}

/** What the service has of contexts: their id, type and text, in the order in which it came. */
export const received = (world: BackgroundWorld) =>
  world.stored().map(({ type, payload }) => {
    const { context, contextId } = payload as object as { context?: { id: string; type: string; content: string }; contextId?: string };
    return context === undefined ? `${type} ${contextId}` : `${context.type} ${context.id} ${context.content}`.trim();
  });

/** What was changed of contexts that the service has. */
export const updates = (world: BackgroundWorld) =>
  world.stored().flatMap(({ type, payload }) => (type === "update" ? [payload.context as object as Record<string, unknown>] : []));

/** What a document says of how long it showed a page with a text since it said so last. */
export const viewed = (id: string, viewedMs: number, more: Seen = {}) => {
  const request = visited(id, { text: "one", ...more });
  return { ...request, capture: { ...request.capture, metadata: { lang: "en" }, viewedMs } };
};
