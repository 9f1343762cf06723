import { createHash } from "node:crypto";
import type { ExportQuery } from "@periscope/schemas";
import type { AccessStore } from "../access/access.store.js";
import type { Deps } from "../deps.js";
import { badParameter, conflict } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import { toTimeRange } from "../time-range.js";
import { createPause } from "../workers/pause.js";
import type { ContextSelection, CapturePlace } from "./data.store.js";
import { contextLine, extensionLine, type Line, parseCursor, retentionLine, rulesLine } from "./export-lines.js";

/** Called with how many contexts are written, of how many. */
export type OnProgress = (done: number, total: number) => void;

const pageRows = 500;

/** A command has no service that erases. */
type ExportDeps = Pick<Deps, "stores" | "clock"> & { erasure?: Pick<Deps["erasure"], "isErasing"> };

interface ExportOptions {
  onProgress?: OnProgress;
  /** Called before each page. Throws when who asked may have no more, such as after their key was revoked. */
  checkAllowed?: () => Promise<void>;
}

/**
 * What is stored of one user as NDJSON, in the order of capture. It comes page by page: a reader that takes its time costs no memory and
 * holds nothing open. A context that changes meanwhile is in it as it was before or after; one whose time of capture changes can be in
 * it twice, or not at all. Throws `bad_request` when the query makes no sense, before anything is written, and `conflict` in the place of
 * the last line when the user was erased meanwhile, or this process is at it.
 */
export async function exportUser(
  deps: ExportDeps,
  userId: string,
  query: ExportQuery = {},
  { onProgress, checkAllowed = async () => {} }: ExportOptions = {},
): Promise<AsyncGenerator<Buffer>> {
  const { since, until, type, after, sha256 } = query;
  const { start, end } = toTimeRange({ start: since, end: until, startName: "since", endName: "until" });
  const selection = { since: start, until: end, type };
  const place = after === undefined ? undefined : parseCursor(after);
  if (after !== undefined && !place) throw badParameter("after", "must be the timestamp and the id of a context, with a comma between");
  if (sha256 !== undefined && !place) throw badParameter("sha256", "needs after; send both, or neither");
  const contexts = await deps.stores.data.countContexts(userId, selection);
  const header = headerOf(deps.clock(), { userId, contexts, since, until, type, after, continues: sha256 });
  const pages = async function* () {
    for await (const page of linesOfUser(deps, userId, selection, place)) {
      await checkAllowed();
      yield page;
    }
  };
  return serialize(header, pages(), onProgress);
}

/** A whole installation: users, their accounts, hashes of their keys, and all that is theirs. */
export async function exportAll(deps: ExportDeps, onProgress?: OnProgress): Promise<AsyncGenerator<Buffer>> {
  const { stores, clock } = deps;
  const users = await stores.access.listUsers();
  let contexts = 0;
  for (const { userId } of users) contexts += await stores.data.countContexts(userId, {});
  return serialize(headerOf(clock(), { contexts }), linesOfAll(deps, users), onProgress);
}

/** The contexts of a user, then what else is theirs. */
async function* linesOfUser(
  { stores, erasure }: ExportDeps,
  userId: string,
  selection: ContextSelection,
  after: CapturePlace | undefined,
): AsyncGenerator<Line[]> {
  for (let place = after; ;) {
    const page = await stores.data.readContexts(userId, selection, place);
    if (page.length === 0) break;
    yield page.map(contextLine);
    place = page.at(-1);
  }
  const stored = await stores.rules.find(userId);
  if (stored) yield [rulesLine(stored)];
  const retention = await stores.data.findRetention(userId);
  if (retention) yield [retentionLine(retention)];
  for (let place = ""; ;) {
    const page = await stores.data.readExtensions(userId, place, pageRows);
    if (page.length === 0) break;
    yield page.map(extensionLine);
    place = page.at(-1)?.extensionId ?? "";
  }
  // What is erased meanwhile is missing without a trace.
  if (erasure?.isErasing(userId) || !(await stores.access.hasUser(userId)))
    throw conflict(`User ${userId} was erased during this export, which is not whole.`);
}

async function* linesOfAll(deps: ExportDeps, users: Awaited<ReturnType<AccessStore["listUsers"]>>): AsyncGenerator<Line[]> {
  const { stores } = deps;
  yield (await stores.signIns.listPrograms()).map((program) => ({ kind: "program", ...program }));
  yield (await stores.signIns.listInvites()).map((invite) => ({ kind: "invite", ...invite }));
  for (const user of users) {
    const account = await stores.signIns.readAccount(user.userId);
    yield [
      { kind: "user", ...user },
      ...(account ? [{ kind: "account" as const, ...account }] : []),
      ...(await stores.access.listKeys(user.userId)).map((key) => ({ kind: "key" as const, ...key })),
    ];
    for (let place = ""; ;) {
      const page = await stores.data.readTombstones(user.userId, place, pageRows);
      if (page.length === 0) break;
      yield page.map((tombstone) => ({ kind: "tombstone" as const, ...tombstone }));
      place = page.at(-1)?.contextId ?? "";
    }
    yield* linesOfUser(deps, user.userId, {}, undefined);
  }
}

/** The first line of an export that is made now. */
export function headerOf(now: number, about: Omit<Line<"header">, "kind" | "format" | "version" | "exportedAt">): Line<"header"> {
  return { kind: "header", format: "periscope-export", version: 1, exportedAt: toTimestamp(now), ...about };
}

/** Lines in UTF-8, with the header before them and counts and hash behind. Encoded once, since what is made on the way stays in memory for a while. */
export async function* serialize(
  header: Line<"header">,
  pages: Iterable<readonly Line[]> | AsyncIterable<readonly Line[]>,
  onProgress?: OnProgress,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const lines: Record<string, number> = {};
  const pause = createPause();
  const encode = (part: readonly Line[]) => {
    const bytes = Buffer.from(part.map((line) => `${JSON.stringify(line)}\n`).join(""));
    hash.update(bytes);
    return bytes;
  };
  yield encode([header]);
  for await (const page of pages) {
    for (const { kind } of page) lines[kind] = (lines[kind] ?? 0) + 1;
    const bytes = encode(page);
    onProgress?.(lines["context"] ?? 0, header.contexts);
    yield bytes;
    await pause();
  }
  const end: Line<"end"> = { kind: "end", lines, sha256: hash.digest("hex") };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}
