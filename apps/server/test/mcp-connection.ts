import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** How the official client reaches the service, and in which version of the protocol. */
export interface Way {
  transport: "http" | "stdio";
  era: "legacy" | "modern";
}

/** The official MCP client, connected with one key; hold it with `await using`. */
export class McpConnection implements AsyncDisposable {
  private constructor(
    readonly client: Client,
    /** What the stdio command has written to standard error. */
    readonly errors: string[],
  ) {}

  static async open(
    { baseUrl }: { baseUrl: string },
    { key }: { key: string },
    { transport, era }: Way = { transport: "http", era: "legacy" },
  ): Promise<McpConnection> {
    const errors: string[] = [];
    const mode = era === "legacy" ? ("legacy" as const) : { pin: "2026-07-28" };
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    if (transport === "http") {
      const headers = { Authorization: `Bearer ${key}` };
      await client.connect(new StreamableHTTPClientTransport(mcpUrl({ baseUrl }), { requestInit: { headers } }));
    } else {
      const command = fileURLToPath(new URL("../../../packages/mcp/dist/cli.js", import.meta.url));
      const env = { PERISCOPE_BASE_URL: baseUrl, PERISCOPE_API_KEY: key, PERISCOPE_LOG: "debug" };
      const stdio = new StdioClientTransport({ command: process.execPath, args: [command], env, stderr: "pipe" });
      stdio.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
      await client.connect(stdio);
    }
    // The command asks once, for three seconds, whether its key may delete: a machine that is too busy for that is asked again.
    if (!errors.some((line) => line.includes("no whole answer within"))) return new McpConnection(client, errors);
    await client.close();
    return await McpConnection.open({ baseUrl }, { key }, { transport, era });
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; structured: any; isError: boolean }> {
    const { content, structuredContent, isError = false } = await this.client.callTool({ name, arguments: args });
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    return { text, structured: structuredContent, isError };
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** Where a server has MCP. */
export const mcpUrl = ({ baseUrl }: { baseUrl: string }): URL => new URL("/mcp", baseUrl);
