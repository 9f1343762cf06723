import type { Portal } from "@periscope/harness/portal";

/** A page that a browser has sent. */
export interface SentPage {
  id: string;
  title: string;
  url?: string;
  content?: string;
  contentFormat?: "text" | "html" | "markdown";
  capturedAt?: Date;
  extensionId?: string;
}

/** Stores pages as an extension does. */
export async function sendPages({ client }: Portal, pages: readonly SentPage[]): Promise<void> {
  for (const { id, title, capturedAt = new Date(), extensionId = "chrome-1", ...page } of pages) {
    const { url = `https://example.com/${id}`, content = "The keeper lights the lamp at dusk.", contentFormat = "text" } = page;
    await client.sync({
      type: "create",
      extensionId,
      payload: {
        context: {
          id,
          type: "page",
          tabId: "7",
          capturedAt: capturedAt.toISOString(),
          content,
          contentFormat,
          tabMetadata: { id: "7", url, title },
        },
      },
    });
  }
}
