import { privacyLevels, type PrivacyLevel } from "@periscope/privacy";
import { CaptureUrl, limits } from "@periscope/schemas";
import { z } from "zod";
import { toCapture, withLevel } from "./capture.js";
import { createBoundedFilter } from "./prepare.js";
import type { Deps } from "../deps.js";
import { toTimestamp } from "../formats.js";

/** UTF-16 units of a text that is tried. */
const previewCharsMax = 200_000;

/** What a person wants to see filtered. The format is found out from the content when it is left out. */
export const PrivacyPreviewInput = z.object({
  url: CaptureUrl,
  title: z.string().max(limits.titleBytesMax),
  content: z.string().max(previewCharsMax, `must have at most ${previewCharsMax} characters; try a part of it`),
  contentFormat: z.enum(["text", "html", "markdown"]).optional(),
});

/** What would be stored of it, if the browser asked for `asked`. */
export interface LevelPreview {
  asked: PrivacyLevel;
  /** Null when nothing would be stored. */
  stored: {
    /** A rule or the page itself may raise the level. */
    level: PrivacyLevel;
    url: string;
    title: string;
    content: string;
    /** What would be removed, most frequent first. */
    removed: Array<{ kind: string; count: number }>;
  } | null;
  /** Why the level is what it is, or why nothing would be stored, such as `blocked-site`. */
  reasons: string[];
}

/** Shows what each level would store, under the operator's policy and the user's own rules. Stores nothing. */
export async function previewPrivacy(
  { filters, pool, clock }: Pick<Deps, "filters" | "pool" | "clock">,
  userId: string,
  { url, title, content, contentFormat }: z.infer<typeof PrivacyPreviewInput>,
): Promise<LevelPreview[]> {
  const { filter } = await filters.of(userId);
  const bounded = createBoundedFilter({ filter, userId, pool });
  const tabMetadata = { id: "preview", url, title, isActive: true, isLoading: false };
  const capturedAt = toTimestamp(clock());
  const capture = toCapture({ id: "preview", type: "page", tabId: "preview", capturedAt, content, contentFormat, tabMetadata });
  const asked = privacyLevels.map((level) => ({ kind: "fields" as const, capture: withLevel(capture, level) }));
  const filtered = await bounded.run(asked);
  return filtered.map(({ outcome }, at) => {
    const { reasons } = outcome;
    const level = privacyLevels[at] ?? "restricted";
    if (!outcome.captured) return { asked: level, stored: null, reasons };
    const { context, redactions } = outcome;
    const removed = Object.entries(redactions).map(([kind, count]) => ({ kind, count }));
    removed.sort((one, other) => other.count - one.count);
    const stored = { level: outcome.level, url: context.url, title: context.title, content: context.content, removed };
    return { asked: level, stored, reasons };
  });
}
