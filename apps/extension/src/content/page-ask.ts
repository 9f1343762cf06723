/** What the extension asks the recorder in a page. `preview` is answered with what would be sent, the others with what became of it. */
export interface PageAsk {
  extension: "periscope";
  ask: "preview" | "page" | "selection" | "element" | "media";
  /** Of a picture, video or sound. */
  srcUrl?: string;
}

/** Reads what came in; undefined for messages of others. */
export function readPageAsk(message: unknown): PageAsk | undefined {
  const ask = message as Partial<PageAsk> | null;
  const isOurs = typeof ask === "object" && ask?.extension === "periscope";
  return isOurs && ["preview", "page", "selection", "element", "media"].includes(ask.ask ?? "") ? (ask as PageAsk) : undefined;
}
