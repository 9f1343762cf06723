import { randomUUID } from "node:crypto";
import { appRouter } from "../src/http/app-router.js";
import { type Route, RouteTable } from "../src/http/rest-api.js";
import { exportOf } from "./export-text.js";
import { createMessage } from "./messages.js";
import type { Answer, TestClient } from "./test-client.js";

/** One request that an endpoint answers with success, when the user has a context of the id. */
export interface SampleRequest {
  path: string;
  /** JSON, for the endpoints that take a body. */
  body?: unknown;
  /** A body that is no JSON, with its type. */
  upload?: { type: string; text: string };
  headers?: Record<string, string>;
}

type ProcedureName = keyof typeof appRouter._def.procedures;

/** Stands for the id of the client's user. */
const ownId = "{userId}";

/** What an endpoint is asked in the suites that go through all of them: a new procedure without an entry does not compile. */
const samples: Record<ProcedureName, (contextId: string) => SampleRequest> = {
  key: () => ({ path: "/key" }),
  current: () => ({ path: "/context/current" }),
  history: () => ({ path: "/context/history?limit=5" }),
  search: () => ({ path: "/context/search?query=lighthouses" }),
  get: (contextId) => ({ path: `/context/${contextId}` }),
  remove: (contextId) => ({ path: `/context/${contextId}` }),
  sync: (contextId) => ({ path: "/context/sync", body: createMessage({ context: { id: contextId } }) }),
  batchSync: (contextId) => ({
    path: "/context/batch-sync",
    body: { id: randomUUID(), type: "batch", messages: [createMessage({ context: { id: contextId } })] },
  }),
  live: () => ({ path: "/live", headers: { Accept: "text/event-stream" } }),
  createLiveTicket: () => ({ path: "/live/tickets" }),
  privacyRules: () => ({ path: "/privacy/rules" }),
  replacePrivacyRules: (contextId) => ({
    path: "/privacy/rules",
    body: { blockedSites: [`${contextId.toLowerCase()}.example`], siteRules: [], denyList: [] },
  }),
  deleteMany: () => ({ path: "/context/delete", body: { where: { type: "page" }, dryRun: true } }),
  retention: () => ({ path: "/data/retention" }),
  replaceRetention: (contextId) => ({
    path: "/data/retention",
    body: { rules: [{ keepDays: 3650, site: `${contextId.toLowerCase()}.example` }] },
  }),
  eraseData: () => ({ path: "/data", body: { confirm: ownId } }),
  exportData: () => ({ path: "/data/export" }),
  importData: (contextId) => ({ path: "/data/import", upload: { type: "application/x-ndjson", text: exportOf([contextId]) } }),
};

export const routeTable = new RouteTable(appRouter);

/** Every operation of the interface. */
export const routes: readonly Route[] = [...routeTable];

/** The sample request of an operation. Throws when it has none. */
export function sampleOf({ name }: Route, contextId: string): SampleRequest {
  const sample = (samples as Partial<Record<string, (contextId: string) => SampleRequest>>)[name];
  if (!sample) throw new Error(`the procedure ${name} has no sample request; add one to test/sample-requests.ts`);
  return sample(contextId);
}

/** What differs from the sample request. */
export interface SampleOptions {
  contextId?: string;
  /** Headers that replace the client's own; an undefined one is left out. */
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

/** Sends the sample request of an operation. */
export function sendSample(
  client: TestClient,
  route: Route,
  { contextId = "context", headers = {}, ...rest }: SampleOptions = {},
): Promise<Answer> {
  const { path, body, upload, headers: own } = { ...sampleOf(route, contextId), ...rest };
  const text = body === undefined ? upload?.text : JSON.stringify(body).replaceAll(ownId, client.userId);
  const json = text === undefined ? {} : { body: text };
  const type = text === undefined ? {} : { "Content-Type": body === undefined ? (upload?.type ?? "") : "application/json" };
  return client.send(route.meta.openapi.method, path, { ...json, headers: { ...type, ...own, ...headers } as Record<string, string> });
}
