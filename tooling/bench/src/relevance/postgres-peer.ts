import { PostgresServer } from "@periscope/harness/postgres";
import pg from "pg";
import { depth } from "./ndcg.ts";
import type { Peer } from "./peers.ts";
import type { TestSet } from "./test-set.ts";

/** Weights of D, C, B and A: a title, which is A, counts four times as much as text, which is D. */
const weights = "{0.25, 0.25, 0.25, 1}";

/** PostgreSQL's own ranking, with its English stems: any of the words, by ts_rank_cd. A server of its own, gone when disposed. */
export async function tsRankCd({ docs }: TestSet): Promise<Peer & AsyncDisposable> {
  await using disposer = new AsyncDisposableStack();
  const server = disposer.use(await PostgresServer.start());
  const client = disposer.adopt(new pg.Client(server.url()), (opened) => opened.end());
  client.on("error", () => undefined);
  await client.connect();
  await client.query("CREATE TABLE docs (place int, words tsvector)");
  await client.query(
    `INSERT INTO docs SELECT place - 1, setweight(to_tsvector('english', title), 'A') || to_tsvector('english', text)
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (title, text, place)`,
    [docs.map(({ title }) => title), docs.map(({ text }) => text)],
  );
  await client.query("CREATE INDEX ON docs USING gin (words)");
  const all = disposer.move();
  return {
    name: "ts_rank_cd",
    async find(query) {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const { rows } = await client.query<{ place: number }>(
        `SELECT place FROM docs, to_tsquery('english', $1) AS query WHERE words @@ query
         ORDER BY ts_rank_cd($2::float4[], words, query) DESC, place LIMIT ${depth}`,
        [words.join(" | "), weights],
      );
      return rows.map(({ place }) => docs[place]?.id ?? "");
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
