import { expect } from "vitest";
import type { Route } from "../src/http/rest-api.js";
import type { EndpointMeta } from "../src/trpc/endpoint.js";
import { expectRateHeaders, expectSuccess } from "./answer-checks.js";
import { routes, routeTable, type SampleOptions, sampleOf, sendSample } from "./sample-requests.js";
import type { Answer, TestClient } from "./test-client.js";

/** One address and method of the service as the suites that go through all of them ask it: the operations of the REST interface, and MCP. */
export interface Endpoint extends Pick<EndpointMeta, "scopes" | "budget"> {
  name: string;
  needsEveryScope: boolean;
  method: string;
  /** From the API's prefix on, without a query. */
  path: string;
  /** Methods that the path has. */
  served: readonly string[];
  hasBody: boolean;
  /** Sends what is answered with success when the user has a context of the id. */
  send(client: TestClient, options?: SampleOptions): Promise<Answer>;
  /** Checks that an answer is a success of the documented kind. */
  expectSuccess(answer: Answer): void;
}

/** As `fetch` resolves it: beside the API's prefix. */
const mcpPath = "/../../mcp";

const call = (name: string, args: object = {}) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

/** Calls a tool of MCP by a bare request. */
export function callTool(client: TestClient, name: string, args: object = {}): Promise<Answer> {
  return sendToMcp(client, { body: call(name, args) });
}

function sendToMcp(client: TestClient, { body = call("list_history"), headers = {} }: SampleOptions = {}): Promise<Answer> {
  const usual = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return client.send("POST", mcpPath, { body: JSON.stringify(body), headers: { ...usual, ...headers } as Record<string, string> });
}

/** All that MCP shows of a user, and of one context; what is new in each answer, its fence and its request id, blacked out. */
export async function mcpView(client: TestClient, contextId: string): Promise<unknown[]> {
  const answers = [
    await callTool(client, "get_current_context"),
    await callTool(client, "list_history"),
    await callTool(client, "search_contexts", { query: "lighthouses" }),
    await callTool(client, "get_context", { contextId }),
  ];
  const isNew = /[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}/g;
  return answers.map(({ status, body }) => ({ status, body: JSON.stringify(body).replaceAll(isNew, "new") }));
}

const mcp: Endpoint = {
  name: "mcp",
  method: "POST",
  path: mcpPath,
  served: ["GET", "POST"],
  // Any one of them: each lets some tool be called.
  scopes: ["read", "delete"],
  needsEveryScope: false,
  budget: "read",
  hasBody: true,
  send: sendToMcp,
  expectSuccess(answer) {
    expect(answer).toMatchObject({ status: 200, body: { jsonrpc: "2.0", id: 1, result: { structuredContent: expect.anything() } } });
    expect(answer.body.result.isError ?? false).toBe(false);
    expectRateHeaders(answer);
    expect(answer.headers.get("x-request-id")).toBeTruthy();
  },
};

function endpointOf(route: Route): Endpoint {
  const { scopes, needsEveryScope = false, budget, openapi } = route.meta;
  const [path = ""] = sampleOf(route, "context").path.split("?");
  return {
    name: route.name,
    method: openapi.method,
    path,
    served: [...(routeTable.match(path)?.byMethod.keys() ?? [])],
    scopes,
    needsEveryScope,
    budget,
    hasBody: route.hasBody,
    send: (client, options) => sendSample(client, route, options),
    expectSuccess: (answer) => expectSuccess(answer, route),
  };
}

/** All that a key opens. */
export const endpoints: readonly Endpoint[] = [...routes.map(endpointOf), mcp];
