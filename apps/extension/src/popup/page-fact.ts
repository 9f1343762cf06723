import { NotFoundError, type Periscope } from "@periscope/client";
import type { PrivacyLevel } from "@periscope/privacy";
import type { PageNote } from "../background/page-notes.js";

/** What happened to the page in front. */
export type PageFact =
  | { is: "stored"; contextId: string; at: number; level: PrivacyLevel | undefined }
  /** Its text is not: it is read later, or cannot be read. */
  | { is: "visit-stored"; at: number; level: PrivacyLevel | undefined }
  | { is: "waiting" }
  | { is: "refused"; text: string }
  | { is: "kept-out"; rule: string }
  /** It did not get onto the disk, had to make room, waited too long, or was removed before it was sent. */
  | { is: "dropped" }
  /** It was stored, and is no longer on the server. */
  | { is: "deleted" }
  | { is: "not-seen"; why: NotSeen };

/** Why nothing of a page was captured, though it may be recorded. */
export type NotSeen = "loading" | "pdf" | "prerendered" | "opened-before";

/** What the page says of itself. Runs in the page, so it must not use anything of this file. */
export function probePage(): NotSeen {
  if (document.contentType === "application/pdf") return "pdf";
  if (document.readyState !== "complete" || performance.now() < 4_000) return "loading";
  const [navigation] = performance.getEntriesByType("navigation") as (PerformanceEntry & { activationStart?: number })[];
  return (navigation?.activationStart ?? 0) > 0 ? "prerendered" : "opened-before";
}

export interface FactSources {
  note: PageNote | undefined;
  waiting: number;
  client: Pick<Periscope, "get"> | undefined;
  probe: () => Promise<NotSeen>;
}

/** The facts about a page as this browser knows them, by its note; `ask` asks the server what it has of it, where that can say more. */
export async function getPageFact({
  note,
  waiting,
  client,
  probe,
}: FactSources): Promise<{ fact: PageFact; ask?: () => Promise<PageFact> }> {
  if (note === undefined) return { fact: { is: "not-seen", why: await probe() } };
  if (note.rule !== undefined) return { fact: { is: "kept-out", rule: note.rule } };
  const { contextId, settled } = note;
  if (settled?.status === "deleted") return { fact: { is: "deleted" } };
  if (settled?.status === "refused") return { fact: { is: "refused", text: settled.message } };
  if (client === undefined || contextId === undefined) return { fact: { is: "waiting" } };
  const fact = factOf(note, contextId, waiting);
  return { fact, ask: () => askServer(client, contextId, fact) };
}

function factOf({ settled, at }: PageNote, contextId: string, waiting: number): PageFact {
  // A worker that ended at that moment reported nothing.
  if (settled === undefined && waiting > 0) return { is: "waiting" };
  if (settled?.status === "dropped") return { is: "dropped" };
  // What left the queue was acknowledged.
  return { is: "stored", contextId, at, level: settled?.status === "stored" ? settled.privacyLevel : undefined };
}

async function askServer(client: Pick<Periscope, "get">, contextId: string, known: PageFact): Promise<PageFact> {
  try {
    const { type, timestamp, privacyLevel } = await client.get(contextId, { maxChars: 1 });
    const stored = { at: Date.parse(timestamp), level: privacyLevel };
    return type === "navigation" ? { is: "visit-stored", ...stored } : { is: "stored", contextId, ...stored };
  } catch (error) {
    // Without the scope to read, or an answer, this browser knows best.
    return known.is === "stored" && NotFoundError.is(error) ? { is: "deleted" } : known;
  }
}
