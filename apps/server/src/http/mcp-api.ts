import { Buffer } from "node:buffer";
import { limits } from "@periscope/schemas";
import type { Request, RequestHandler, Response } from "express";
import type { Deps, McpOptions } from "../deps.js";
import { badRequest, methodNotAllowed } from "../domain-error.js";
import { type EndpointMeta, requireAccess } from "../trpc/endpoint.js";
import { identify, takeAnonymous, takeBudget } from "./admission.js";
import { readJsonBody } from "./json-body.js";
import { createMcpGuard } from "./mcp-guard.js";
import { stateOf } from "./request-state.js";
import { sendError, shuttingDown } from "./send.js";

const path = "/mcp";

/** One of them, or none of the tools would answer. */
const scopes: EndpointMeta["scopes"] = ["read", "delete"];

/**
 * MCP's streamable HTTP transport, without sessions, over the same procedures as the REST interface. In the same order: who asks, the rate
 * limit, the method, the key's scope, the body. A request draws on the budget `read`; each call that it makes on the budget of its
 * procedure, for the first `read` of them the request itself counts.
 */
export function createMcpApi(deps: Deps, mcp: McpOptions): RequestHandler {
  const services = { contexts: deps.contexts, rules: deps.rules, search: deps.search, sync: deps.sync };
  const guard = createMcpGuard(deps.http, mcp);

  async function answer(req: Request, res: Response): Promise<void> {
    const state = stateOf(res);
    state.route = path;
    const tooLate = deps.isDraining();
    guard(req);
    const principal = await identify(req, res, { deps, tooLate });
    state.principal = principal;
    await takeBudget(res, deps, principal, "read");
    if (tooLate) throw shuttingDown;
    // Answers to GET would be streams, and to DELETE the end of a session: there are none.
    if (req.method !== "POST") throw methodNotAllowed(path, ["POST"]);
    requireAccess({ scopes }, principal);
    const message = await readJsonBody(req, res);
    if (Array.isArray(message) && message.length > limits.batchMessagesMax)
      throw badRequest(`body: has more than ${limits.batchMessagesMax} messages; send one at a time.`);

    // With the protocol's code, loaded by the first who asks: 12 MB that a server without MCP hosts need not hold.
    const [{ answerMcpRequest }, { createMcpSource }] = await Promise.all([import("@periscope/mcp"), import("./mcp-source.js")]);
    let paid = true;
    const spend = async (budget: EndpointMeta["budget"]) => {
      if (paid && budget === "read") paid = false;
      else await takeBudget(res, deps, principal, budget);
    };
    const onFailure = (cause: unknown) => void (state.failure = cause);
    const source = createMcpSource({ services, principal, spend, requestId: state.requestId, onFailure });
    const canDelete = principal.scopes.has("delete");
    const options = { source, canDelete, version: mcp.version, onUnexpected: onFailure };
    await send(res, await answerMcpRequest(webRequest(req, deps.http.publicUrl), message, options));
  }

  return (req, res) => {
    answer(req, res).catch((error: unknown) => {
      if (!res.hasHeader("X-RateLimit-Limit")) takeAnonymous(req, res, deps);
      sendError(res, stateOf(res), error);
    });
  };
}

/** The request as the protocol's code reads it: its kind and version. The key stays here. */
function webRequest({ headers }: Request, base: string): globalThis.Request {
  const kept = Object.entries(headers).filter(
    (header): header is [string, string] => /^(?:accept|content-type|mcp-.*)$/.test(header[0]) && typeof header[1] === "string",
  );
  return new globalThis.Request(new URL(path, base), { method: "POST", headers: kept });
}

async function send(res: Response, answer: globalThis.Response): Promise<void> {
  const text = await answer.text();
  res.statusCode = answer.status;
  if (text !== "") {
    res.setHeader("Content-Type", answer.headers.get("Content-Type") ?? "application/json");
    res.setHeader("Content-Length", Buffer.byteLength(text));
  }
  res.setHeader("Cache-Control", "no-store");
  res.end(text);
}
