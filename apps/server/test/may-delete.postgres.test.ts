import pg from "pg";
import { expect } from "vitest";
import { expectError } from "./answer-checks.js";
import { McpConnection } from "./mcp-connection.js";
import { withOwnServer as it } from "./test-server.js";

it("learns whether a key may delete, and that an id is no context's, without a look at anybody's contexts", async ({ server, client }) => {
  const reader = await server.client({ scopes: ["read"] });
  const other = new pg.Client(server.config.databaseUrl);
  await other.connect();
  try {
    // Whoever looks waits, and is refused.
    await other.query("BEGIN; LOCK TABLE contexts, users IN ACCESS EXCLUSIVE MODE");
    expectError(await client.delete("/context/~"), "not_found");
    expectError(await reader.delete("/context/~"), "forbidden");
    await using mcp = await McpConnection.open(server, client, { transport: "stdio", era: "legacy" });
    expect(await mcp.toolNames()).toContain("delete_context");
  } finally {
    await other.end();
  }
});
