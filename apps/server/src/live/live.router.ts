import { LiveQuery, LiveTicket, LiveTicketQuery, ServerFrame } from "@periscope/schemas";
import { upgradeRequired } from "../domain-error.js";
import { endpoint } from "../trpc/endpoint.js";

const tags = ["Live"];

export const liveProcedures = {
  live: endpoint({
    openapi: {
      method: "GET",
      path: "/live",
      operationId: "followCurrentContext",
      summary: "Follow the channel current-context",
      description:
        "As a WebSocket: upgrade with the subprotocol `periscope.v1`, then send frames; parameters are of the frame `subscribe`. A browser names a ticket in a second subprotocol, `ticket.<value>`. As server-sent events: send `Accept: text/event-stream`. Frames are the same: see `asyncapi.json`. At most 20 connections a user.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [
      {
        status: 200,
        description: "A stream of server-sent events: each has a frame as its data.",
        body: ServerFrame,
        type: "text/event-stream",
      },
      { status: 101, description: "The connection is a WebSocket now.", body: null },
    ],
    errors: ["upgrade_required"],
    isLive: true,
  })
    .input(LiveQuery)
    .output(ServerFrame)
    .query(() => {
      throw upgradeRequired();
    }),

  createLiveTicket: endpoint({
    openapi: {
      method: "POST",
      path: "/live/tickets",
      operationId: "createLiveTicket",
      summary: "Get a ticket for one WebSocket",
      description:
        "For browsers, which cannot send a key with a WebSocket. A ticket opens one connection within 30 seconds, with what its key may see.",
      tags,
    },
    scopes: ["read"],
    budget: "read",
    success: [{ status: 201, description: "The ticket.", body: LiveTicket }],
    hasNoBody: true,
  })
    .input(LiveTicketQuery)
    .output(LiveTicket)
    .mutation(({ ctx }) => ctx.services.live.createTicket(ctx.principal)),
};
