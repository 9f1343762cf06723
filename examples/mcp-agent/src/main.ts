import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ask } from "./agent.ts";
import { scriptedModel } from "./scripted-model.ts";

// Usage: node src/main.ts QUESTION … Answers from what the user viewed, over MCP.

const question = process.argv.slice(2).join(" ");
if (question === "") {
  console.error('What do you want to know? For example: node src/main.ts "What was that page about the lighthouse lens?"');
  process.exit(2);
}
const { PERISCOPE_BASE_URL = "http://127.0.0.1:3000/api/v1", PERISCOPE_API_KEY = "" } = process.env;
// Outside this repository: command "npx", args ["-y", "@periscope/mcp"].
const command = fileURLToPath(new URL("cli.js", import.meta.resolve("@periscope/mcp")));
const mcp = new Client({ name: "mcp-agent", version: "0.1.0" });
try {
  await mcp.connect(
    new StdioClientTransport({ command: process.execPath, args: [command], env: { PERISCOPE_BASE_URL, PERISCOPE_API_KEY } }),
  );
} catch {
  // The server has said on standard error what it lacks.
  process.exit(1);
}
try {
  const onCall = (tool: string, args: Record<string, unknown>) => console.error(`calls ${tool} ${JSON.stringify(args)}`);
  console.log(await ask({ mcp, model: scriptedModel, onCall }, question));
} finally {
  await mcp.close();
}
