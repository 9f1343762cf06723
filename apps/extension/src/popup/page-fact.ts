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

/** The facts about a page: its note, then what the server has of it. */
export async function getPageFact({ note, waiting, client, probe }: FactSources): Promise<PageFact> {
  if (note === undefined) return { is: "not-seen", why: await probe() };
  if (note.rule !== undefined) return { is: "kept-out", rule: note.rule };
  const { contextId, settled } = note;
  if (settled?.status === "deleted") return { is: "deleted" };
  if (settled?.status === "refused") return { is: "refused", text: settled.message };
  if (client === undefined || contextId === undefined) return { is: "waiting" };
  try {
    const { type, timestamp, privacyLevel } = await client.get(contextId, { maxChars: 1 });
    const stored = { at: Date.parse(timestamp), level: privacyLevel };
    return type === "navigation" ? { is: "visit-stored", ...stored } : { is: "stored", contextId, ...stored };
  } catch (error) {
    // A worker that ended at that moment reported nothing.
    if (settled === undefined && waiting > 0) return { is: "waiting" };
    // Without the scope to read: what left the queue was acknowledged.
    const level = settled?.status === "stored" ? settled.privacyLevel : undefined;
    if (settled?.status === "dropped") return { is: "dropped" };
    return NotFoundError.is(error) ? { is: "deleted" } : { is: "stored", contextId, at: note.at, level };
  }
}
