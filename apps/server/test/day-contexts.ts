import { expect } from "vitest";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";

/** Noon of a day of January. */
export const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day, 12)).toISOString();

/** Thirty contexts, a day each: ten of news.example. */
export async function fillDays(client: TestClient, count = 30): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    const messages = Array.from({ length: Math.min(100, count - start) }, (_, index) => {
      const number = start + index;
      const url = number % 3 === 0 ? `https://www.news.example/story/${number}` : `https://site.example/${number}`;
      const context = {
        id: `c${number}`,
        capturedAt: dayOf(1 + (number % 30)),
        privacyLevel: number % 2 ? "private" : "filtered",
        content: `lamp ${number % 5 === 0 ? "keeper harbour" : "harbour"} number ${number}`,
        tabMetadata: { id: "7", url, title: "Lamps" },
      };
      return createMessage({ context, timestamp: dayOf(30), extensionId: number < 15 ? "laptop" : "phone" });
    });
    expect((await client.batch(messages)).body.failed).toBe(0);
  }
}

/** Ids of what is left. */
export const idsOf = async (client: TestClient): Promise<string[]> =>
  (await client.get("/context/history?limit=200")).body.contexts.map(({ contextId }: { contextId: string }) => contextId);
