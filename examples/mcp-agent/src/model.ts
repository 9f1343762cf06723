import type { Tool } from "@modelcontextprotocol/client";

/** A turn of the conversation, as the model reads it. */
export type Turn =
  | { role: "user"; text: string }
  | { role: "call"; tool: string; arguments: Record<string, unknown> }
  | { role: "result"; text: string; isError: boolean };

/** What a model decides: to call a tool, or to answer. */
export type Decision = { call: { tool: string; arguments: Record<string, unknown> } } | { answer: string };

/** The one thing that a real agent has another of: here goes the call of a model's API. */
export type Model = (turns: readonly Turn[], tools: readonly Tool[]) => Promise<Decision>;
