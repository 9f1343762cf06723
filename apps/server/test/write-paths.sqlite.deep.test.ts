import { expect, it } from "vitest";
import * as z from "zod/mini";
import { withPlace } from "./json-places.js";
import { createMessage } from "./messages.js";
import { routes, sampleOf } from "./sample-requests.js";
import { type Filled, fillings } from "./schema-places.js";
import { rawFiles } from "./stored-bytes.js";
import { TestServer } from "./test-server.js";
import { columnsOf, type Needle, spellingsOf, tracesIn } from "./traces.js";

/** A body with a secret of its own in one place. */
interface Plant {
  /** Route, message type and place. */
  place: string;
  route: string;
  secret: string;
  body: unknown;
  /** What has to be there for the body to have an effect. */
  before: unknown[];
}

let planted = 0;

/** Stands in ids for the number of the plant. */
const mark = "~NUMBER~";

/** A token of a vendor, which fits where ids must fit and goes at every level; its end is its own. */
function nextSecret(): string {
  const end = (++planted * 7_919_993).toString(36).padStart(9, "q");
  return `${["gh", "p_"].join("")}aB3dE6gH1jK4mN7pQ0sT2vW5yZ8c${end}`;
}
/** Bare it is taken by ids, too, and as an address where one must stand; a place of sites takes neither. */
const spelled = (secret: string, path: ReadonlyArray<string | number>): string[] => [
  secret,
  `https://e.example/p/${secret}?note=${secret}#${secret}`,
  ...(path.includes("blockedSites") || path.at(-1) === "site" ? [`e.example/${secret}`] : []),
];

const samples = ["a", "2026-01-31T12:00:01.000Z", "https://e.example/page", "e.example"];
const isTaken = (schema: z.core.$ZodType, text: string) => z.core.safeParse(schema, text).success;

/** Plants for a route's documented body: each place of text, in each spelling, with everything else as it should be. */
function plantsOf(route: string, schema: z.core.$ZodType, userId: string): Plant[] {
  const filled = fillings(schema, (path, field) => {
    const name = path.at(-1);
    if (name === "userId") return userId;
    if (name === "extensionId") return `extension-${mark}`;
    if (name === "contextId" || (name === "id" && path.at(-2) === "context")) return `context-${mark}`;
    if (name === "id" && path.at(-2) !== "tabMetadata") return `${path.includes("messages") ? "item" : "message"}-${mark}`;
    return samples.find((text) => isTaken(field, text)) ?? "a";
  });
  return filled.flatMap((way) =>
    placesOf(way).flatMap(({ path, isKey }) =>
      spelled("", path).map((_, spelling): Plant => {
        const secret = nextSecret();
        const value = withIdsOf(way.value, planted);
        const text = spelled(secret, path)[spelling] ?? secret;
        const body = isKey ? withPlace(value, [...path, text], "a") : withPlace(value, path, text);
        return {
          place: `${route} ${typesIn(value)}: ${path.join(".")}${isKey ? " (key)" : ""}`,
          route,
          secret,
          body,
          before: earlier(value),
        };
      }),
    ),
  );
}

/** The same body with ids of its own. */
const withIdsOf = (value: unknown, plant: number): unknown => JSON.parse(JSON.stringify(value).replaceAll(mark, `n${plant}`));

const placesOf = ({ texts, keyed }: Filled) => [
  ...texts.map((path) => ({ path, isKey: false })),
  ...keyed.map((path) => ({ path, isKey: true })),
];

/** Types of a message and of those that it carries. */
const typesIn = (value: unknown): string => [...new Set(messagesIn(value).map(({ type }) => type))].join(" of ");

interface Message {
  type?: string;
  messages?: unknown[];
  payload?: { messages?: unknown[]; context?: { id?: string } };
}

function messagesIn(value: unknown): Message[] {
  const message = value as Message;
  return [message, ...[...(message.messages ?? []), ...(message.payload?.messages ?? [])].flatMap(messagesIn)];
}

/** Creates of the contexts that updates and deletes are about. */
function earlier(value: unknown): unknown[] {
  return messagesIn(value).flatMap(({ type, payload }) =>
    type !== "create" && payload?.context?.id !== undefined ? [createMessage({ context: { id: payload.context.id } })] : [],
  );
}

/** A batch whose messages stand both beside and inside `payload`, once without those beside, which go first. */
function forms(body: unknown): unknown[] {
  const { messages, ...rest } = body as Message;
  return messages !== undefined && rest.payload !== undefined ? [body, rest] : [body];
}

/** Ids are kept as they were sent, and a user's own rules are what the user says must not be stored: there a secret stays. */
const keptAsSent = [
  /(?:^|[ .])(?:id|extensionId|tabId|contextId)$/,
  /^PUT \/privacy\/rules : (?:denyList\.0|blockedSites\.0|siteRules\.0\.site)$/,
];

const writes = routes.filter(({ meta }) => meta.openapi.method !== "GET");

it("stores a secret through no write path, except in ids and rules", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const plants: Plant[] = [];
  const statuses = new Map<string, Set<number>>();
  for (const route of writes) {
    const { method, path } = route.meta.openapi;
    const name = `${method} ${path}`;
    const seen = new Set<number>();
    statuses.set(name, seen);
    const send = async (at: string, body?: unknown) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
      seen.add((await client.send(method, at, json)).status);
    };
    if (!route.hasBody) {
      const secret = nextSecret();
      plants.push({ place: name, route: name, secret, body: undefined, before: [] });
      await send(`${sampleOf(route, secret).path}?${secret}=${secret}`);
      continue;
    }
    if (!route.meta.body) throw new Error(`${name} documents no body; its places cannot be found`);
    const found = plantsOf(name, route.meta.body as z.core.$ZodType, client.userId);
    plants.push(...found);
    const before = found.flatMap((plant) => plant.before);
    for (let start = 0; start < before.length; start += 100) await client.batch(before.slice(start, start + 100));
    const bodies = found.flatMap(({ body }) => forms(body));
    for (let start = 0; start < bodies.length; start += 64)
      await Promise.all(bodies.slice(start, start + 64).map((body) => send(path, body)));
  }

  // The walk has gone everywhere: each route has answered well and badly, and each message type has places.
  for (const [name, seen] of statuses)
    expect({ name, isTaken: [...seen].some((status) => status < 300 || name.startsWith("DELETE")) }).toEqual({ name, isTaken: true });
  const types = new Set(plants.flatMap(({ body }) => messagesIn(body ?? {}).map(({ type }) => type)));
  for (const type of ["create", "update", "delete", "heartbeat", "config", "error", "batch"]) expect([...types]).toContain(type);

  const needles: Needle[] = plants.flatMap(({ secret, place }) => spellingsOf(secret).map((spelling) => ({ ...spelling, owner: place })));
  const isKept = (trace: string) => keptAsSent.some((kept) => kept.test(trace.split(", ")[0] ?? ""));
  const inColumns = tracesIn(columnsOf(server.databaseFile), needles);
  expect(inColumns.filter((trace) => !isKept(trace))).toEqual([]);
  expect(tracesIn(rawFiles(server.config.dataDir), needles).filter((trace) => !isKept(trace))).toEqual([]);
  // What is kept as sent is found, so the rest would be.
  const kept = new Set(
    inColumns.filter((trace) => trace.includes(", as sent, ")).map((trace) => trace.split(", ").toSpliced(1, 1).join(" in ")),
  );
  expect([...kept]).toEqual(
    expect.arrayContaining([
      "POST /context/sync create: id in processed_messages.messageId",
      "POST /context/sync create: extensionId in contexts.extensionId",
      "POST /context/sync create: payload.context.id in contexts.contextId",
      "POST /context/sync create: payload.context.tabId in contexts.tabId",
      "POST /context/sync create: payload.context.tabMetadata.id in contexts.tabMetadata",
      "POST /context/sync config: extensionId in extensions.extensionId",
      "POST /context/sync error: id in processed_messages.messageId",
      "PUT /privacy/rules : denyList.0 in privacy_rules.rules",
    ]),
  );
});
