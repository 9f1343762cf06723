import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, RequestHandler, Response } from "express";
import type { ContextSource } from "@periscope/mcp";
import type { Principal } from "../access/access.service.js";
import { keysAndTokens } from "../access/authenticator.js";
import type { Deps, HttpOptions } from "../deps.js";
import { badRequest, DomainError, forbidden, methodNotAllowed, unauthorizedAgent, unavailable } from "../domain-error.js";
import type { Transport } from "../live/outbox.js";
import { type EndpointMeta, requireAccess } from "../trpc/endpoint.js";
import { admit, hostName, issuerOf, namesThisMachine, originCheck, takeBudget } from "./admission.js";
import { holdAnswer } from "./bounds.js";
import { readJsonBody } from "./input.js";
import { stateOf } from "./request-log.js";

const path = "/mcp";

/** Where the metadata of `/mcp` as a protected resource is (RFC 9728). */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${path}`;

/** Messages of a batch, which MCP had in one version only (2025-03-26). All their answers are put together at once. */
const messagesMax = 20;

/** A key needs one of them, or it could call no tool. */
const scopes: EndpointMeta["scopes"] = ["read", "delete"];

/**
 * MCP's streamable HTTP transport, without sessions, but with streams for those who subscribe, over the same procedures as the REST interface and in the same order: key or access token, rate limit,
 * method, scope, body. A request takes one from the `read` budget, which pays for its first `read` call. Every other call takes from the
 * budget of its procedure. When the client disconnects, no further call is begun.
 * @param hosts host names, without ports, that a request may name beside those of this machine; null for any
 */
export function createMcpApi(deps: Deps, hosts: readonly string[] | null): RequestHandler {
  const checkCaller = createCallerCheck(deps.http, hosts);

  return deps.load.track(async (req, res) => {
    const state = stateOf(res);
    state.route = path;
    const disconnected = disconnectSignal(res);
    checkCaller(req);
    const principal = await admit(req, res, deps, { budget: "read", accepts: keysAndTokens }).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== "unauthorized") throw error;
      const hasKey = /^bearer +\S/i.test(req.headers.authorization ?? "");
      throw unauthorizedAgent(hasKey, `${issuerOf(req, deps.http)}${resourceMetadataPath}`);
    });
    const isStream = req.method === "GET";
    // DELETE would end a session: there are none.
    if (!isStream && req.method !== "POST") throw methodNotAllowed(path, ["GET", "POST"]);
    requireAccess(isStream ? { scopes: ["read"] } : { scopes }, principal);
    const message = isStream ? undefined : await readJsonBody(req, res);
    if (Array.isArray(message) && message.length > messagesMax)
      throw badRequest(`body: has more than ${messagesMax} messages. Send fewer at a time.`);

    // Loaded on first use: the protocol's code takes 12 MB, which a server without MCP clients need not hold.
    const [{ answerMcpRequest }, { createMcpSource }] = await Promise.all([import("@periscope/mcp"), import("./mcp-source.js")]).catch(
      (cause: unknown) => {
        throw unavailable("MCP could not be loaded. Try again in a moment.", 5, cause);
      },
    );
    let prepaid = true;
    const spend = async (budget: EndpointMeta["budget"]) => {
      if (prepaid && budget === "read") prepaid = false;
      else await takeBudget(res, deps, principal, budget);
      disconnected.throwIfAborted();
    };
    const onFailure = (cause: unknown) => void (state.failure = cause);
    const ended = new AbortController();
    const follow = followCurrent(deps, principal, () => ended.abort());
    const source = createMcpSource({ services: deps, principal, spend, requestId: state.requestId, follow, onFailure });
    const options = { source, canDelete: principal.scopes.has("delete"), version: deps.version, onUnexpected: onFailure };
    const signal = AbortSignal.any([disconnected, ended.signal]);
    await send(res, await answerMcpRequest(toWebRequest(req, deps.http.publicUrl, signal), message, options));
  });
}

/** Aborts when the connection closes before the answer is out. */
function disconnectSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) controller.abort(unavailable("The client disconnected. Send the request again.", 1));
  });
  return controller.signal;
}

/** The request as the protocol's code reads it: its kind and version. The key is left out. */
function toWebRequest({ method, headers }: Request, base: string, signal: AbortSignal): globalThis.Request {
  const kept = Object.entries(headers).filter(
    (header): header is [string, string] => /^(?:accept|content-type|mcp-.*)$/.test(header[0]) && typeof header[1] === "string",
  );
  return new globalThis.Request(new URL(path, base), { method, headers: kept, signal });
}

/** The live channel for one host. A key that may not read follows nothing. @param onEnd called when the server ends it */
function followCurrent({ live }: Deps, principal: Principal, onEnd: () => void): NonNullable<ContextSource["follow"]> {
  return (onChange, { signal }) => {
    if (!principal.scopes.has("read")) return onEnd();
    live.requireRoom(principal);
    const transport: Transport = {
      unreadBytes: 0,
      write: ({ json }) => {
        const { event, error } = JSON.parse(json) as { event?: string; error?: string };
        if (event === "current.changed" || error === "resync_required") onChange();
      },
      end: onEnd,
    };
    const connection = live.connect(principal, transport, "mcp");
    connection.subscribe({});
    signal.addEventListener("abort", () => connection.closed(), { once: true });
  };
}

async function send(res: Response, answer: globalThis.Response): Promise<void> {
  if (answer.body && answer.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    res.flushHeaders();
    // A host that goes away ends the stream, and that is no failure.
    return await pipeline(Readable.fromWeb(answer.body), res).catch(() => {});
  }
  const text = await answer.text();
  const bytes = Buffer.byteLength(text);
  holdAnswer(res, bytes);
  res.statusCode = answer.status;
  if (text !== "") {
    res.setHeader("Content-Type", answer.headers.get("Content-Type") ?? "application/json");
    res.setHeader("Content-Length", bytes);
  }
  res.setHeader("Cache-Control", "no-store");
  res.end(text);
}

/**
 * Host names under which `/mcp` and the portal answer beside those of this machine. On a loopback address: the public one, so that a foreign name which
 * an attacker pointed here is refused. On any other address: every name (null), as the operator's network decides who reaches it.
 */
export function ownHosts(listenHost: string, publicUrl: string | null): readonly string[] | null {
  const isLoopback = listenHost === "::1" || /^(?:::ffff:)?127\./.test(listenHost);
  if (!isLoopback) return null;
  return publicUrl === null ? [] : [new URL(publicUrl).hostname];
}

/**
 * MCP's protection against DNS rebinding: an Origin must be allowed by the operator or the service's own, a Host must be one of its names.
 * Programs other than browsers send no Origin. Throws `forbidden`.
 */
function createCallerCheck(http: HttpOptions, hosts: readonly string[] | null) {
  const isAllowed = originCheck(http);
  const ownOrigin = new URL(http.publicUrl).origin;
  return (req: Request): void => {
    const { origin } = req.headers;
    if (origin !== undefined && origin !== ownOrigin && !isAllowed(origin))
      throw forbidden("Pages of this origin may not call /mcp. The operator can allow it in CORS_ORIGINS.");
    if (hosts !== null && !namesThisMachine(req) && !hosts.includes(hostName(req)))
      throw forbidden("This Host is not a name of the server. Set PUBLIC_URL to the address that clients use.");
  };
}
