import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ClientFrame, type ByeReason, limits, LiveQuery } from "@periscope/schemas";
import type { Request, Response } from "express";
import { type WebSocket, WebSocketServer } from "ws";
import type { Principal } from "../access/access.service.js";
import { firstOf, invalidRequest, toDetails } from "../contexts/issues.js";
import type { Deps } from "../deps.js";
import { badRequest, forbidden, upgradeRequired } from "../domain-error.js";
import { parseJson } from "../formats.js";
import type { LiveConnection, LiveReader, LiveService } from "../live/live.service.js";
import type { Transport } from "../live/outbox.js";
import { originCheck } from "./admission.js";
import type { UpgradeRequest } from "./server.js";

const protocol = "periscope.v1";
const ticketPrefix = "ticket.";
const pingEveryMs = 30_000;
/** Proxies close what says nothing, some after 30 seconds. */
const commentEveryMs = 15_000;
/** How long a client may take to read why it is sent away. */
const closeMs = 3_000;
/** Codes of WebSocket's close frame: RFC 6455, 7.4.1, and IANA's registry. */
const closeCodes: Record<ByeReason, number> = {
  restarting: 1012,
  unavailable: 1013,
  too_slow: 1013,
  too_many_frames: 1008,
  unauthorized: 1008,
};

/** Answers `GET /live` by a WebSocket or a stream of server-sent events. */
export class LiveEndpoint {
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.liveFrameBytesMax,
    perMessageDeflate: false,
    handleProtocols: () => protocol,
  });
  readonly #isAllowed: (origin: string) => boolean;
  readonly #ownOrigin: string;

  constructor(private readonly deps: Pick<Deps, "live" | "http">) {
    this.#isAllowed = originCheck(deps.http);
    this.#ownOrigin = new URL(deps.http.publicUrl).origin;
    // Those of every answer: the request's id, the rate budget, CORS.
    this.#sockets.on("headers", (lines, req: IncomingMessage & { res?: Response }) => {
      for (const [name, value] of Object.entries(req.res?.getHeaders() ?? {})) lines.push(`${name}: ${String(value)}`);
    });
  }

  /**
   * Throws before the key is looked at: `forbidden` for a foreign page, which browsers let open WebSockets anywhere, and `bad_request` or
   * `upgrade_required` for a wrong handshake. Returns the ticket that a handshake names in the place of a key.
   */
  checkHandshake(req: UpgradeRequest): string | undefined {
    const { origin } = req.headers;
    if (origin !== undefined && origin !== this.#ownOrigin && !this.#isAllowed(origin))
      throw forbidden("Pages of this origin may not follow the live channel. The operator can allow it in CORS_ORIGINS.");
    if (!req.upgradeHead) return undefined;
    const version = req.headers["sec-websocket-version"];
    if (version !== "13") throw upgradeRequired("Sec-WebSocket-Version: must be 13.");
    if (!/^[+/0-9A-Za-z]{22}==$/.test(req.headers["sec-websocket-key"] ?? ""))
      throw badRequest("Sec-WebSocket-Key: must be 16 bytes in base64.");
    const offered = (req.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
    if (!offered.includes(protocol)) throw badRequest(`Sec-WebSocket-Protocol: must offer ${protocol}.`);
    if (req.headers.authorization !== undefined) return undefined;
    return offered.find((name) => name.startsWith(ticketPrefix))?.slice(ticketPrefix.length);
  }

  /** Opens a connection, if the request asks for one. */
  open(req: Request & UpgradeRequest, res: Response, principal: Principal, input: unknown): boolean {
    const { upgradeHead } = req;
    const isStream = req.method === "GET" && /\btext\/event-stream\b/.test(req.headers.accept ?? "");
    if (!upgradeHead && !isStream) return false;
    const query = LiveQuery.safeParse(input);
    if (!query.success) throw invalidRequest(query.error.issues);
    this.deps.live.requireRoom(principal);
    if (upgradeHead) this.#upgrade(req, res, upgradeHead, principal);
    else streamEvents(this.deps.live, { req, res }, principal, query.data);
    return true;
  }

  #upgrade(req: IncomingMessage, res: Response, head: Buffer, principal: Principal): void {
    const { socket } = req;
    res.detachSocket(socket);
    this.#sockets.handleUpgrade(req, socket, head, (ws) => this.#serve(ws, socket, principal));
    // It was answered as a request: it has its log line, and lets go of what it held, also where that is only asked for later.
    res.statusCode = 101;
    Object.assign(res, { destroyed: true }).emit("close");
  }

  #serve(ws: WebSocket, socket: Socket, principal: Principal): void {
    const transport: Transport = {
      get unreadBytes() {
        return ws.bufferedAmount;
      },
      write: ({ json }, taken) => ws.send(json, taken),
      end({ json }, reason) {
        ws.send(json);
        ws.close(closeCodes[reason], reason);
        // One that does not read would never see the end.
        setTimeout(() => ws.terminate(), closeMs);
      },
    };
    const connection = this.deps.live.connect(principal, transport, "websocket");
    let missed = 0;
    const pings = setInterval(() => {
      if (missed++ < 2) ws.ping();
      else ws.terminate();
    }, pingEveryMs).unref();
    let second = 0;
    let frames = 0;
    /** False past the bound on frames. */
    const countFrame = (): boolean => {
      const now = Math.floor(performance.now() / 1_000);
      frames = now === second ? frames + 1 : 1;
      second = now;
      if (frames <= limits.liveFramesPerSecondMax) return true;
      connection.end("too_many_frames");
      return false;
    };
    ws.on("message", (data, isBinary) => {
      if (countFrame()) receive(connection, isBinary ? undefined : (data as Buffer).toString());
    });
    ws.on("ping", countFrame);
    // One that nobody asked for counts as a frame.
    ws.on("pong", () => (missed > 0 ? (missed = 0) : countFrame()));
    ws.on("error", () => socket.destroySoon());
    ws.on("close", () => {
      clearInterval(pings);
      connection.closed();
    });
  }
}

/** Answers a request by a stream of server-sent events, which goes on after the event that the client names. Throws `bad_request`. */
export function streamEvents(
  live: LiveService,
  { req, res }: { req: Request; res: Response },
  reader: LiveReader,
  { after, ...filter }: LiveQuery,
): void {
  // The client left while its request was let in: nothing would tell of its end any more.
  if (res.destroyed) return;
  const lastEventId = req.headers["last-event-id"];
  const last = typeof lastEventId === "string" && lastEventId !== "" ? lastEventId : after;
  const checked = LiveQuery.safeParse({ after: last });
  if (!checked.success) throw badRequest("Last-Event-ID: is not an event id of this service. Send the id of the last event.");
  const comments = setInterval(() => res.write(":\n\n"), commentEveryMs).unref();
  const transport: Transport = {
    get unreadBytes() {
      return res.writableLength;
    },
    write: ({ json, id }, taken) => void res.write(`${id === undefined ? "" : `id: ${id}\n`}data: ${json}\n\n`, taken),
    end({ json }) {
      // A reader that is behind keeps the response open: a comment after its end would be an error.
      clearInterval(comments);
      res.end(`data: ${json}\n\n`);
      setTimeout(() => res.destroy(), closeMs);
    },
  };
  res.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    // Proxies must neither keep nor compress it, nor wait until they have more.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  });
  res.write("retry: 1000\n\n");
  const connection = live.connect(reader, transport, "sse");
  res.once("close", () => {
    clearInterval(comments);
    connection.closed();
  });
  connection.subscribe({ after: checked.data.after, filter });
}

/** Does what a client's frame says; a wrong one is answered by an error. */
function receive(connection: LiveConnection, text: string | undefined): void {
  const json = parseJson(text ?? "");
  const refuse = (message: string): void => connection.send({ type: "error", error: "bad_request", message });
  if (typeof json !== "object" || json === null || Array.isArray(json)) return refuse("frame: must be a JSON object");
  const frame = ClientFrame.safeParse(json);
  if (!frame.success) return refuse(firstOf(toDetails(frame.error.issues)));
  switch (frame.data.type) {
    case "subscribe":
      return connection.subscribe(frame.data);
    case "unsubscribe":
      return connection.unsubscribe();
    case "ping":
      return connection.send({ type: "pong" });
  }
}
