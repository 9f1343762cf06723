import {
  ByeFrame,
  ContextEvent,
  CurrentEvent,
  DeletedEvent,
  LiveErrorFrame,
  PingFrame,
  PongFrame,
  SubscribedFrame,
  SubscribeFrame,
  UnsubscribeFrame,
} from "@periscope/schemas";
import { securityDescription } from "./info.js";
import { documentSchemas } from "./schemas.js";
import type { AnySchema } from "../src/trpc/endpoint.js";
import type { Example, JsonSchema, Reference } from "./types.js";

/** An AsyncAPI 3 document: the parts that are used here. */
export interface AsyncApiDocument {
  asyncapi: "3.0.0";
  info: { title: string; version: string; description: string; license: { name: string } };
  defaultContentType: string;
  servers: Record<string, { host: string; protocol: string; pathname: string; description: string; security: Reference[] }>;
  channels: Record<string, { address: string; title: string; description: string; messages: Record<string, Reference>; bindings: object }>;
  operations: Record<string, { action: "send" | "receive"; channel: Reference; summary: string; messages: Reference[] }>;
  components: {
    messages: Record<string, { name: string; summary: string; payload: JsonSchema; examples: Array<{ name: string; payload: unknown }> }>;
    schemas: Record<string, JsonSchema>;
    securitySchemes: Record<string, { type: "http"; scheme: "bearer"; description: string }>;
  };
}

/** Frames by the name of their message. */
const ofClients = { subscribe: SubscribeFrame, unsubscribe: UnsubscribeFrame, ping: PingFrame };
const ofServer = {
  subscribed: SubscribedFrame,
  contextEvent: ContextEvent,
  deletedEvent: DeletedEvent,
  currentEvent: CurrentEvent,
  pong: PongFrame,
  error: LiveErrorFrame,
  bye: ByeFrame,
};

/** Generates the AsyncAPI 3 document of the live channel, as the server sees it: it receives what clients send. */
export function buildAsyncApiDocument({ baseUrl, version }: { baseUrl: string; version: string }): AsyncApiDocument {
  const schemas = documentSchemas();
  const frames: Record<string, AnySchema> = { ...ofClients, ...ofServer };
  const messages = Object.entries(frames).map(([name, frame]) => {
    const payload = schemas.ref(frame);
    const summary = schemas.components[nameOf(payload)]?.description ?? "";
    const examples = Object.entries<Example>(schemas.examples(frame)).map(([example, { value }]) => ({ name: example, payload: value }));
    return [name, { name, summary, payload, examples }] as const;
  });
  const inChannel = (names: object) =>
    Object.keys(names).map((name): Reference => ({ $ref: `#/channels/currentContext/messages/${name}` }));
  const { protocol, host, pathname } = new URL(baseUrl);
  const channel = { $ref: "#/channels/currentContext" };
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Periscope live channel",
      version,
      description:
        "What becomes of a user's contexts, and which is current, as it happens. The same frames come as server-sent events: `GET /live` with `Accept: text/event-stream`. See `openapi.json` for the handshake, its errors, and tickets for browsers.",
      license: { name: "MIT" },
    },
    defaultContentType: "application/json",
    servers: {
      installation: {
        host,
        protocol: protocol === "https:" ? "wss" : "ws",
        pathname,
        description: "This installation",
        security: [{ $ref: "#/components/securitySchemes/bearerAuth" }],
      },
    },
    channels: {
      currentContext: {
        address: "/live",
        title: "current-context",
        description:
          "A WebSocket with the subprotocol `periscope.v1`. A browser names a ticket of `POST /live/tickets` in a second subprotocol, `ticket.<value>`.",
        messages: Object.fromEntries(Object.keys(frames).map((name) => [name, { $ref: `#/components/messages/${name}` }])),
        bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
      },
    },
    operations: {
      receiveFrames: {
        action: "receive",
        channel,
        summary: "Clients subscribe, at most 10 frames a second.",
        messages: inChannel(ofClients),
      },
      sendFrames: { action: "send", channel, summary: "The server sends events.", messages: inChannel(ofServer) },
    },
    components: {
      messages: Object.fromEntries(messages),
      schemas: reachable(messages, schemas.components),
      securitySchemes: { bearerAuth: { type: "http", scheme: "bearer", description: securityDescription } },
    },
  };
}

const nameOf = ({ $ref = "" }: JsonSchema): string => $ref.replace("#/components/schemas/", "");

/** The schemas that `value` refers to, and those that these refer to. */
function reachable(value: unknown, components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const found = new Set<string>();
  const look = (at: unknown) => {
    if (typeof at !== "object" || at === null) return;
    for (const [key, inner] of Object.entries(at)) {
      const name = key === "$ref" ? nameOf({ $ref: String(inner) }) : "";
      if (components[name] && !found.has(name)) {
        found.add(name);
        look(components[name]);
      }
      look(inner);
    }
  };
  look(value);
  return Object.fromEntries(Object.entries(components).filter(([name]) => found.has(name)));
}
