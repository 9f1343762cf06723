import { capturedAtOf, contextIdOf } from "../ingest/message-names.ts";
import type { Plan, UserName } from "../plan.ts";
import type { FloorQuestion, HistoryPlace, ScaleStore } from "../stores/scale-store.ts";
import { historyPage, type ReadKind } from "./kinds.ts";
import type { SearchQueries } from "./search-queries.ts";

/** The same question to the service and to its floor. */
export interface Question {
  path: string;
  floor: FloorQuestion;
}

/** The deepest page that is asked for. */
const deepestPage = 1_000;
/** Places before it that are asked for too, so that not one page alone is read. */
const placesMax = 200;
const prefix = "/api/v1/context";

/** A user of a store, and how many of the plan's batches it has. */
export interface Asker {
  store: ScaleStore;
  plan: Plan;
  user: UserName;
  batches: number;
}

/** Questions of each kind; of a kind that is always the same one, that one. */
export async function questionsOf(asker: Asker, queries: SearchQueries): Promise<Record<ReadKind, Question[]>> {
  const search = (texts: readonly string[]) =>
    texts.map((text): Question => ({
      path: `${prefix}/search?query=${encodeURIComponent(text)}`,
      floor: { kind: "search", text: quoted(text) },
    }));
  return {
    current: [{ path: `${prefix}/current`, floor: { kind: "current" } }],
    history: [{ path: `${prefix}/history?limit=${historyPage}`, floor: { kind: "history" } }],
    "history-deep": await deepPages(asker),
    "search-rare": search(queries.rare),
    "search-common": search(queries.common),
    "search-phrase": search(queries.phrase),
    "search-url": queries.url.map((part) => ({
      path: `${prefix}/search?urlPattern=${encodeURIComponent(part)}`,
      floor: { kind: "url", part },
    })),
    "search-none": search(queries.none),
  };
}

function quoted(text: string): string {
  return text.startsWith('"') ? text : `"${text}"`;
}

/** Page 1,000 by cursor, or the last where there are fewer, and those before it. The service's own cursors: one walks there. */
async function deepPages({ store, plan, user, batches }: Asker): Promise<Question[]> {
  const { server, epoch } = store;
  const origin = new URL(server.baseUrl).origin;
  const headers = { authorization: `Bearer ${await store.keyOf(user)}` };
  const paths: string[] = [];
  for (let path = `${prefix}/history?limit=${historyPage}`; paths.length < deepestPage - 1;) {
    const response = await fetch(origin + path, { headers });
    const { nextCursor } = (await response.json()) as { nextCursor?: string };
    if (!response.ok) throw new Error(`${path} was answered ${response.status}.`);
    if (nextCursor === undefined) break;
    path = `${prefix}/history?limit=${historyPage}&cursor=${encodeURIComponent(nextCursor)}`;
    paths.push(path);
  }
  const numbers = plan.batchesBy(user, batches).flatMap((batch) => numbersOf(batch, plan.batchSize));
  const first = Math.max(Math.floor(paths.length / 2), paths.length - placesMax);
  return paths.slice(first).map((path, index) => {
    const number = numbers.at(-(first + index + 1) * historyPage) ?? 0;
    const place: HistoryPlace = { capturedAt: capturedAtOf(number, epoch), contextId: contextIdOf(number) };
    return { path, floor: { kind: "history-deep", place } };
  });
}

function numbersOf(batch: number, size: number): number[] {
  return Array.from({ length: size }, (_, index) => batch * size + index);
}
