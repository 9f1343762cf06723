import { newMessageId } from "@periscope/delivery";
import type { Enqueued } from "../core/outcomes.js";
import type { Capture, VisitKind } from "../protocol.js";
import { visibilityOf } from "./dom-access.js";
import type { CaptureSettings } from "./options.js";
import { type Captured, type CaptureRequest, type Unavailable, unavailable } from "./outcomes.js";
import type { ReadOutcome, VisitMarks } from "./read-capture.js";
import { isViewed, viewTime } from "./view-time.js";

/** What is kept of a page: what it is about, all that is shown of it, or nothing. */
export type RecordMode = "article" | "whole" | "off";

/** How a page is recorded as long as it is open. */
export interface RecordOptions {
  /** What is kept of pages; a function is asked before each reading. Default `article`. */
  mode?: RecordMode | (() => Promise<RecordMode> | RecordMode);
  /** Records nothing before the page moves to another address, as of a page that was open before it might be recorded. Default false. */
  skipOpenPage?: boolean;
  /** Milliseconds in which a page must not change to have settled; it is read after five times as many at the latest. Default 1,000. */
  settleMs?: number;
}

/** A page that is being recorded. */
export interface Recording {
  /** Reads and hands in the page as it is now, wanted or not, as the context of this visit. */
  now(): Promise<Captured>;
  end(): void;
}

export interface RecordParts {
  settings: CaptureSettings;
  read: (request: CaptureRequest, marks: VisitMarks) => Promise<ReadOutcome>;
  handIn: (capture: Capture) => Promise<Captured>;
  heartbeat: (contextId: string) => Promise<Enqueued | Unavailable>;
}

/** What was recorded of the page at one address. */
interface Visit extends VisitMarks {
  url: string;
  /** What was read last, also if it was blocked. */
  last?: Capture;
  /** What the background has taken last. */
  taken?: Capture;
  /** The time viewed in this document up to which it was handed in, whatever came of it. */
  sentMs: number;
  /** Where somebody had last gone in the history of this document when the visit began. */
  historyTarget?: string | undefined;
}

/** Time after which a document that still loads is read. */
const patienceMs = 3_000;
/** Time between two readings of a page that is looked at; doubled after each. */
const [firstMs, mostMs] = [10_000, 300_000];
const beatMs = 60_000;
/** Time in which a new address of the same document may still get its text. */
const arrivalMs = 15_000;
const paragraphUnits = 200;

/**
 * Records a page as one context a visit: at once its address and title, then its text when it has settled, and again when much of it is another.
 */
export function recordPage(parts: RecordParts, options: RecordOptions = {}): Recording {
  const { settings } = parts;
  const { document, after, epoch } = settings;
  const { settleMs = 1_000, skipOpenPage = false, mode = "article" } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const timers = new Map<string, () => void>();
  const addressOf = () => document.location.href;
  const isSeen = () => visibilityOf(document) === "visible";
  let visit: Visit | undefined;
  let readAt = skipOpenPage ? addressOf() : undefined;
  let reads = 0;
  let movedAt = 0;
  let changedAt: number | undefined;
  let looking: Promise<unknown> | undefined;
  const time = viewTime(document, epoch);
  /** Ids and addresses of the entries that were recorded, to know when somebody goes back to one. */
  const recordedEntries = new Set<string>();
  /** The address that somebody went to in the history of this document, or by a link within it, until a visit has come of it. */
  let historyTarget: string | undefined;

  const observer = new MutationObserver(changed);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    for (const cancel of timers.values()) cancel();
  });
  // The browser shows it in a page of its own making, of which there is nothing to read: the background tells of it.
  if (document.contentType === "application/pdf") ended.abort();
  else if ((document as { prerendering?: boolean }).prerendering === true)
    document.addEventListener("prerenderingchange", load, { once: true, signal });
  else load();
  return {
    async now() {
      if (signal.aborted) return unavailable("failed", "This page cannot be read, or the extension was updated since it was opened.");
      return (await inTurn(() => lookOnce(true))) ?? unavailable("failed", "The page could not be read.");
    },
    end: () => ended.abort(),
  };

  /** Calls back after a time. Replaces the timer of the same name. */
  function later(name: string, ms: number, call: () => void): void {
    timers.get(name)?.();
    timers.set(
      name,
      after(ms, () => signal.aborted || call()),
    );
  }

  function load(): void {
    if (document.readyState !== "loading") {
      begin();
      return;
    }
    document.addEventListener("DOMContentLoaded", begin, { once: true, signal });
    later("begin", patienceMs, begin);
  }

  function begin(): void {
    if (timers.has("beat")) return;
    later("beat", beatMs, () => void beat());
    observer.observe(document, { childList: true, characterData: true, subtree: true });
    document.addEventListener("visibilitychange", turned, { signal });
    const { defaultView: view } = document;
    view?.addEventListener("pageshow", ({ persisted }) => persisted && visit !== undefined && void parts.heartbeat(visit.contextId), {
      signal,
    });
    view?.addEventListener("popstate", () => (historyTarget = addressOf()), { signal });
    for (const event of ["focus", "blur"]) view?.addEventListener(event, time.count, { signal });
    time.count();
    if (!skipOpenPage) void inTurn(announce);
    changed();
  }

  async function modeNow(): Promise<RecordMode> {
    // When the mode cannot be read, nothing is recorded.
    const current = await (async () => (typeof mode === "function" ? await mode() : mode))().catch(() => "off" as const);
    if (current === "off") time.setRecorded(false);
    return current;
  }

  async function beat(): Promise<void> {
    later("beat", beatMs, () => void beat());
    time.count();
    if (visit === undefined || !isViewed(document) || (await modeNow()) === "off") return;
    noteAnswer(await parts.heartbeat(visit.contextId));
  }

  /** What the background takes is recorded, until it takes something of the page no more, as when its site was blocked. */
  function noteAnswer({ status }: Pick<Captured, "status">): void {
    if (status === "blocked") time.setRecorded(false);
    else if (status === "queued" || status === "merged") time.setRecorded(true);
  }

  function turned(): void {
    time.count();
    if (isSeen()) plan();
    else void hide();
  }

  async function hide(): Promise<void> {
    // First of all: a document that is left has no time for a reading.
    await sendTime(1);
    if (changedAt === undefined) await looking;
    else await look();
    await sendTime(1);
  }

  /** Sends how long a visit was viewed, with nothing else that is new, if that is at least so much longer than was sent. */
  async function sendTime(moreMs: number): Promise<void> {
    if (visit?.taken === undefined || time.count() - visit.sentMs < moreMs) return;
    await handIn(visit, { ...visit.taken, visit: "viewed" });
  }

  async function handIn(of: Visit, capture: Capture): Promise<Captured> {
    const ms = time.count();
    const viewedMs = Math.max(0, ms - of.sentMs);
    // The background may have counted it even when it drops the message or its answer is lost.
    of.sentMs = ms;
    const captured = await parts.handIn({ ...capture, contextId: of.contextId, viewedMs });
    if (captured.status === "unavailable" && captured.reason === "orphaned") ended.abort();
    noteAnswer(captured);
    // Its time is not handed in again for nothing.
    if (captured.status === "blocked") of.sentMs = time.count();
    if (captured.status === "queued" || captured.status === "merged") {
      // The background may know the visit under another id, for example after a reload.
      Object.assign(of, { contextId: captured.contextId, taken: capture });
    }
    return captured;
  }

  /** Does one thing with the page after the other. Resolves to undefined when it fails. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    const done = (looking ?? Promise.resolve()).then(work).catch(() => undefined);
    const turn: Promise<unknown> = done.finally(() => {
      if (looking === turn) looking = undefined;
      plan();
    });
    looking = turn;
    return await done;
  }

  async function announce(): Promise<void> {
    if ((await modeNow()) === "off") return;
    visit ??= adopt(newVisit());
    const read = await parts.read({ type: "navigation" }, visit);
    if (read.status === "read") await handIn(visit, read.capture);
  }

  function changed(): void {
    changedAt ??= epoch();
    later("settled", Math.max(0, Math.min(settleMs, changedAt + 5 * settleMs - epoch())), settled);
  }

  /** The first change after the first reading is often what that had missed. */
  function settled(): void {
    if (addressOf() !== readAt || reads === 1) void look();
  }

  function plan(): void {
    if (isSeen() && reads > 0) later("next", Math.min(mostMs, firstMs * 2 ** (reads - 1)), () => isSeen() && void look());
  }

  async function look(): Promise<void> {
    await looking;
    if (looking === undefined && !signal.aborted) await inTurn(() => lookOnce());
  }

  async function lookOnce(isAsked = false): Promise<Captured | undefined> {
    if (addressOf() !== readAt) {
      reads = 0;
      movedAt = epoch();
    } else if (skipOpenPage && reads === 0 && !isAsked) return undefined;
    readAt = addressOf();
    changedAt = undefined;
    reads += 1;
    const current = await modeNow();
    if (!isAsked && current === "off") return undefined;
    const known = visit?.last;
    const next = visit === undefined || (known !== undefined && visit.url !== readAt) ? newVisit() : visit;
    const read = await parts.read({ type: "page", whole: current === "whole" }, isAsked ? { ...next, kind: "asked" } : next);
    if (read.status === "unavailable" && read.reason === "frame") ended.abort();
    if (read.status === "blocked" || read.status === "dropped") return { ...read, contextId: next.contextId };
    if (read.status !== "read") return read;
    if (known !== undefined && !isAsked) {
      // While a password is being typed, the text before it is kept.
      if (read.capture.privacyLevel === "restricted" && next === visit) return undefined;
      if (!isOther(known, read.capture)) {
        // With the same text, the address was only rewritten, unless the new text is still to come.
        if (visit !== undefined && epoch() - movedAt > arrivalMs) visit.url = readAt;
        // The browser drops the last message of a tab that is closed while the background sleeps.
        if (next === visit) await sendTime(beatMs);
        return undefined;
      }
    }
    if (next !== visit) {
      await sendTime(1);
      // What came before was time of another visit.
      if (visit !== undefined) next.sentMs = time.count();
    }
    visit = adopt(next);
    const captured = await handIn(next, read.capture);
    // Also what the filter blocked: the next address may show that text for a moment longer.
    if (captured.status !== "unavailable" && captured.status !== "dropped")
      Object.assign(next, { last: read.capture, url: read.capture.url });
    return captured;
  }

  function adopt(made: Visit): Visit {
    recordedEntries.add(made.contextId).add(made.url);
    // What somebody went to while the page was read is still to come.
    if (historyTarget === made.historyTarget) historyTarget = undefined;
    return made;
  }

  function newVisit(): Visit {
    const now = epoch();
    const entryId = idOfEntry();
    const url = addressOf();
    // Without ids, as in Firefox 140, a link to an address of this document that was recorded is taken for going back to it.
    const isReturn = entryId === undefined ? historyTarget === url && recordedEntries.has(url) : recordedEntries.has(entryId);
    const contextId = entryId === undefined || isReturn ? newMessageId(now) : entryId;
    const kind = visit === undefined ? kindOfVisit() : isReturn ? "back_forward" : "navigate";
    return { contextId, sentMs: time.count(), capturedAt: new Date(now).toISOString(), url, kind, historyTarget };
  }
}

/** Whether much of a page changed: its title, a tenth of its lines, or a paragraph. */
function isOther(before: Capture, now: Capture): boolean {
  if (before.title !== now.title) return true;
  if (before.content === now.content) return false;
  const [lines, linesNow] = [new Set(before.content.split("\n")), new Set(now.content.split("\n"))];
  const unitsOf = (all: ReadonlySet<string>, without: ReadonlySet<string>) =>
    [...all].reduce((sum, line) => sum + (without.has(line) ? 0 : line.length), 0);
  const different = unitsOf(lines, linesNow) + unitsOf(linesNow, lines);
  return different >= Math.min(paragraphUnits, Math.max(before.content.length, now.content.length) / 10);
}

/**
 * Names what is shown by its document and its entry in the history of the tab. After an update of the extension, its next script in this document goes on
 * under the same id. Undefined where the browser has no such entries, as in a sandbox.
 */
function idOfEntry(): string | undefined {
  const view = document.defaultView as { navigation?: { currentEntry: { key: string } | null } } | null;
  // Where browsers have none, a frame of this name would stand in for it.
  const { key } = (view !== null && Object.hasOwn(view, "navigation") && view.navigation?.currentEntry) || {};
  return key && `${Math.round(performance.timeOrigin * 1_000).toString(36)}.${key}`;
}

function kindOfVisit(): VisitKind {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type ?? "navigate";
}
