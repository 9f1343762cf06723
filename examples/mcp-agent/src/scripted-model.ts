import type { Decision, Model, Turn } from "./model.ts";

/**
 * Stands in for a model, so that the example runs without a network and always the same: searches for the question's words, reads the
 * best page, answers with its first sentence. Like a model, it sees only the texts of the conversation.
 */
export const scriptedModel: Model = async (turns, tools) => {
  const results = turns.filter((turn) => turn.role === "result");
  const last = results.at(-1);
  if (last?.isError === true) return { answer: last.text };
  if (last === undefined)
    return searchFor(
      turns,
      tools.some(({ name }) => name === "search_contexts"),
    );
  const page = insideFence(last.text);
  if (results.length > 1) return { answer: firstSentence(page) };
  const contextId = /^- (\S+) \(/m.exec(page)?.[1];
  if (contextId === undefined) return { answer: "I found nothing that you viewed about it." };
  return { call: { tool: "get_context", arguments: { contextId, maxChars: 4_000 } } };
};

function searchFor([question]: readonly Turn[], canSearch: boolean): Decision {
  if (!canSearch) return { answer: "This server has no search." };
  const words = question?.role === "user" ? question.text.replace(/^.*\babout\b/i, "").replaceAll(/[^\p{L}\p{N} ]/gu, "") : "";
  return { call: { tool: "search_contexts", arguments: { query: words.trim(), limit: 3 } } };
}

/** What web pages wrote: between the two lines with the boundary that the answer names. */
function insideFence(text: string): string {
  const boundary = /two lines that hold (\w+)/.exec(text)?.[1];
  if (boundary === undefined) return "";
  return text.split(`<<<${boundary} page text begins\n`)[1]?.split(`\n>>>${boundary} page text ends`)[0] ?? "";
}

function firstSentence(page: string): string {
  const [, title, url, content = ""] = /^Title: (.*)\nURL: (.*)\n\n([^]*)$/.exec(page) ?? [];
  return `It was "${title}", ${url}: ${/^[^.!?]*[.!?]?/.exec(content.trim())?.[0]}`;
}
