import type { Client } from "@modelcontextprotocol/client";
import type { Model, Turn } from "./model.ts";

/** A model that calls on and on ends here. */
const stepsMax = 8;

/** What an agent works with. */
export interface Agent {
  mcp: Client;
  model: Model;
  /** Told of each call before it is made. */
  onCall?: (tool: string, args: Record<string, unknown>) => void;
}

/**
 * The loop of an agent: the model decides, the tool's answer goes back to it, until it answers. Only tools that change nothing are called
 * unasked: what a page says can reach a model, and must not make it delete.
 */
export async function ask({ mcp, model, onCall }: Agent, question: string): Promise<string> {
  const { tools } = await mcp.listTools();
  const unasked = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  const turns: Turn[] = [{ role: "user", text: question }];
  for (let step = 0; step < stepsMax; step++) {
    const decision = await model(turns, unasked);
    if ("answer" in decision) return decision.answer;
    const { tool, arguments: args } = decision.call;
    turns.push({ role: "call", tool, arguments: args });
    if (!unasked.some(({ name }) => name === tool)) {
      turns.push({ role: "result", text: `There is no tool ${tool} that may be called without asking the user.`, isError: true });
      continue;
    }
    onCall?.(tool, args);
    const { content, isError = false } = await mcp.callTool({ name: tool, arguments: args });
    // The text goes to the model as it is, with the fence around what pages wrote.
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    turns.push({ role: "result", text, isError });
  }
  return "That took too many steps.";
}
