import { createHash } from "node:crypto";
import { contentFormatOf, type ExportedContext, limits } from "@periscope/schemas";
import { storableText, toTimestamp } from "../formats.js";
import type { Line } from "./export-lines.js";
import { headerOf, serialize } from "./export.service.js";
import type { Source } from "./spool.js";

// What other programs have of the pages that a person has seen, as an export that the import reads like any other.

/** A page as another program has it. */
export interface ForeignPage {
  url: string;
  title?: string | null | undefined;
  /** Milliseconds since the epoch: when it was saved, or last visited. */
  at: number;
  note?: string | null | undefined;
  tags?: readonly string[];
  folder?: string | undefined;
  visits?: number;
}

export type ForeignFormat = "bookmarks" | "chrome" | "firefox" | "karakeep" | "archivebox";

const escapes: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", "#x27": "'" };
const unescapeHtml = (text: string) => text.replace(/&(\w+|#39|#x27);/gi, (whole, name: string) => escapes[name.toLowerCase()] ?? whole);

/** Bookmarks as every browser exports them: the Netscape format, with the names of folders. */
function* parseBookmarks(html: string): Generator<ForeignPage> {
  const folders: string[] = [];
  const tokens = /<h3[^>]*>([^<]*)<\/h3>|<(\/dl)>|<a\s([^>]*)>([^<]*)<\/a>/gi;
  for (const [, folder, end, attributes, title] of html.matchAll(tokens)) {
    if (folder !== undefined) folders.push(unescapeHtml(folder));
    else if (end !== undefined) folders.pop();
    else {
      const attribute = (name: string) => unescapeHtml(new RegExp(`\\b${name}="([^"]*)"`, "i").exec(attributes ?? "")?.[1] ?? "");
      yield {
        url: attribute("href"),
        title: unescapeHtml(title ?? ""),
        at: Number(attribute("add_date")) * 1000,
        tags: attribute("tags")
          .split(",")
          .filter((tag) => tag !== ""),
        folder: folders.join("/"),
      };
    }
  }
}

/** The export of Karakeep (before: Hoarder). */
function* parseKarakeep(json: { bookmarks: readonly unknown[] }): Generator<ForeignPage> {
  for (const each of json.bookmarks) {
    const { createdAt, title, tags, content, note } = Object(each) as Record<string, unknown>;
    const { url } = Object(content) as { url?: unknown };
    yield {
      url: textOf(url),
      title: textOf(title),
      at: Number(createdAt) * 1000,
      note: textOf(note),
      tags: Array.isArray(tags) ? tags.map(textOf) : [],
    };
  }
}

/** What `archivebox list --json` prints. */
function* parseArchiveBox(json: readonly unknown[]): Generator<ForeignPage> {
  for (const each of json) {
    const { url, title, timestamp, tags } = Object(each) as Record<string, unknown>;
    const names = Array.isArray(tags) ? tags.map(textOf) : textOf(tags).split(",");
    yield { url: textOf(url), title: textOf(title), at: Number(timestamp) * 1000, tags: names.filter((tag) => tag !== "") };
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The format of a text; undefined for anything else, an export of this service among it. Throws `SyntaxError` for broken JSON. */
export function parseForeignText(text: string): { format: ForeignFormat; pages: Iterable<ForeignPage> } | undefined {
  if (/^\s*<!doctype netscape-bookmark-file-1>/i.test(text)) return { format: "bookmarks", pages: parseBookmarks(text) };
  if (!/^\s*[[{]/.test(text) || text.startsWith('{"kind"')) return undefined;
  const json = JSON.parse(text) as unknown;
  if (Array.isArray(json)) return { format: "archivebox", pages: parseArchiveBox(json) };
  const { bookmarks } = Object(json) as { bookmarks?: unknown };
  return Array.isArray(bookmarks) ? { format: "karakeep", pages: parseKarakeep({ bookmarks }) } : undefined;
}

/** Pages as an export, and why others were skipped. */
export interface ForeignImport extends Source {
  /** Counts, by reason. */
  skipped: ReadonlyMap<string, number>;
}

/** Makes an export of pages: each a context of the type `navigation`, whose id is made of its address and time, so that a repeat changes nothing. */
export function toExport(pages: Iterable<ForeignPage>, format: ForeignFormat, userId: string, now: number): ForeignImport {
  const skipped = new Map<string, number>();
  const lines: Line[] = [];
  for (const page of pages) {
    const reason = reasonToSkip(page, now);
    if (reason === undefined) lines.push(toLine(page, format));
    else skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  const header = headerOf(now, { userId, contexts: lines.length });
  return {
    skipped,
    read: () =>
      serialize(
        header,
        lines.map((line) => [line]),
      ),
  };
}

function reasonToSkip({ url, at }: ForeignPage, now: number): string | undefined {
  if (url === "") return "no address";
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return "not a web address";
  if (url.length > limits.urlBytesMax) return "address too long";
  return at > 0 && at <= now ? undefined : "no time, or one that is not over yet";
}

function toLine({ url, title, at, note, tags = [], folder = "", visits }: ForeignPage, format: ForeignFormat): ExportedContext {
  const timestamp = toTimestamp(Math.floor(at));
  const name = storableText(title || url).slice(0, 500);
  const content = storableText(note ?? "").slice(0, 100_000);
  const id = createHash("sha256").update(`${format} ${url} ${timestamp}`).digest("base64url").slice(0, 24);
  return {
    kind: "context",
    contextId: `imp_${id}`,
    type: "navigation",
    url,
    title: name,
    content,
    contentFormat: contentFormatOf(content),
    tabId: format,
    extensionId: `import-${format}`,
    timestamp,
    writtenAt: timestamp,
    privacyLevel: "private",
    tabMetadata: { id: format, url, title: name, isActive: false, isLoading: false, windowId: 0, lastUpdated: timestamp },
    metadata: {
      source: format,
      ...(tags.length > 0 && { tags: tags.join(", ").slice(0, 2_000) }),
      ...(folder !== "" && { folder: folder.slice(0, 2_000) }),
      ...(visits !== undefined && { visits }),
    },
  };
}
