import { type RunningServer, startServer } from "@periscope/harness/server";

/** A page that a person has viewed. */
interface ViewedPage {
  id: string;
  title: string;
  content: string;
}

/** A running server that has pages, and the environment by which programs reach it. */
export async function startServiceWith(pages: readonly ViewedPage[]): Promise<RunningServer & { environment: Record<string, string> }> {
  const server = await startServer();
  for (const { id, title, content } of pages) {
    const tabMetadata = { id: "1", url: `https://example.com/${id}`, title };
    const context = { id, type: "page", tabId: "1", capturedAt: "2026-01-31T12:00:00Z", content, tabMetadata } as const;
    await server.client.sync({ type: "create", payload: { context } });
  }
  return { ...server, environment: { PERISCOPE_BASE_URL: server.baseUrl, PERISCOPE_API_KEY: server.key } };
}
