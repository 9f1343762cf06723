import { SearchPage, SearchQuery } from "@periscope/schemas";
import { endpoint } from "../trpc/endpoint.js";
import { searchContexts } from "./search.service.js";

export const searchProcedures = {
  search: endpoint({
    openapi: {
      method: "GET",
      path: "/context/search",
      operationId: "searchContexts",
      summary: "Search contexts by words or URL",
      description:
        'One or two words must all match. With three or more, a result has at least one of the rarer words, and those that match best come first. `"Quoted phrases"`, `-without` and `OR` always hold, within the bounds of `query`. `urlPattern` is a case-insensitive substring of the URL, or with `*` a wildcard over all of it. One of `query` and `urlPattern` is required; with both, both must hold.',
      tags: ["Search"],
    },
    scopes: ["read"],
    budget: "search",
    success: [{ status: 200, description: "A page of results, best first.", body: SearchPage }],
  })
    .input(SearchQuery)
    .output(SearchPage)
    .query(({ ctx, input }) => searchContexts(ctx.services, ctx.principal, input)),
};
