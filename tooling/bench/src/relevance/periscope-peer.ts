import type { RunningServer as Periscope } from "@periscope/harness/server";
import { depth } from "./ndcg.ts";
import type { Peer } from "./peers.ts";
import type { TestSet } from "./test-set.ts";

const batchSize = 100;

/** The service itself, filled through its own interface: what is searched has passed the privacy filter. */
export async function periscope({ docs }: TestSet, server: Periscope): Promise<Peer> {
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  // Contexts are named by their place, since ids of a test set may have any form.
  const start = Date.now() - docs.length * 1_000;
  for (let first = 0; first < docs.length; first += batchSize) {
    const messages = docs.slice(first, first + batchSize).map(({ title, text }, index) => {
      const at = new Date(start + (first + index) * 1_000).toISOString();
      const url = `https://documents.example/${first + index}`;
      const context = { id: `d${first + index}`, type: "page", tabId: "1", capturedAt: at, content: text, contentFormat: "text" };
      const payload = {
        type: "context",
        operation: "create",
        context: { ...context, tabMetadata: { id: "1", url, title: title.slice(0, 500) } },
      };
      return { id: `m${first + index}`, type: "create", timestamp: at, payload };
    });
    const body = JSON.stringify({ id: `b${first}`, type: "batch", messages });
    const response = await fetch(`${server.baseUrl}/context/batch-sync`, { method: "POST", headers, body });
    const { synced } = (await response.json()) as { synced?: number };
    if (synced !== messages.length) throw new Error(`Of ${messages.length} documents ${synced ?? 0} were taken (${response.status}).`);
  }
  return {
    name: "Periscope",
    async find(query) {
      const response = await fetch(`${server.baseUrl}/context/search?limit=${depth}&query=${encodeURIComponent(query)}`, { headers });
      const { results } = (await response.json()) as { results?: Array<{ contextId: string }> };
      if (!results) throw new Error(`A search was answered ${response.status}.`);
      return results.map(({ contextId }) => docs[Number(contextId.slice(1))]?.id ?? "");
    },
  };
}
