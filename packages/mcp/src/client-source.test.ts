import { Periscope } from "@periscope/client";
import { expect, it } from "vitest";
import { createClientSource, mayDelete } from "./client-source.js";

const options = { baseUrl: "http://periscope.test", apiKey: "psk_test_0123456789", logLevel: "off" } as const;
const noPath = { error: "not_found", message: "There is nothing at this path; /api/v1/docs lists what there is." };

it.each<[string, () => Response]>([
  ["the service", () => Response.json(noPath, { status: 404 })],
  ["a proxy", () => new Response("<h1>Not Found</h1>", { status: 404 })],
])("says that the address is wrong, and not that there is no context, when %s knows no such path", async (_, reply) => {
  const periscope = new Periscope({ ...options, fetch: async () => reply() });
  const source = createClientSource(periscope);
  const wrong = { code: "unavailable", message: expect.stringContaining("PERISCOPE_BASE_URL") };
  await expect(source.current({ maxChars: 3_000 }, {})).rejects.toMatchObject(wrong);
  await expect(source.history({ limit: 1 }, {})).rejects.toMatchObject(wrong);
  await expect(source.search({ query: "lamp", limit: 1, offset: 0 }, {})).rejects.toMatchObject(wrong);
  await expect(source.delete("ctx_1", {})).rejects.toMatchObject({ name: "SourceError" });
  await expect(mayDelete(periscope)).rejects.toMatchObject({ name: "SourceError" });
});
