import { SearchPage, SearchQuery } from "@periscope/schemas";
import { endpoint } from "../trpc/endpoint.js";

export const searchProcedures = {
  search: endpoint({
    openapi: {
      method: "GET",
      path: "/context/search",
      operationId: "searchContexts",
      summary: "Search contexts by words or URL",
      description:
        'Words are all wanted; `"quoted phrases"`, `-without` and `OR` are understood. Ranked by relevance. `urlPattern` is a case-insensitive substring of the URL, or with `*` a wildcard over all of it. One of `query` and `urlPattern` is required; with both, both must hold.',
      tags: ["Search"],
    },
    scopes: ["read"],
    budget: "search",
    success: [{ status: 200, description: "A page of results, best first.", body: SearchPage }],
    errors: [],
  })
    .input(SearchQuery)
    .output(SearchPage)
    .query(({ ctx, input }) => ctx.services.search.search(ctx.principal, input)),
};
