import type { Outputs } from "../api.js";

type Kind = Outputs["usage"]["requests"]["counts"][number]["kind"];

/** How each kind of request is called and drawn, in the order of the legend. */
export const requestKinds: Readonly<Record<Kind, { label: string; color: string }>> = {
  read: { label: "Read", color: "bg-plot-1" },
  search: { label: "Search", color: "bg-plot-2" },
  mcp: { label: "Agents (MCP)", color: "bg-plot-4" },
  sync: { label: "Store", color: "bg-plot-3" },
  batchSync: { label: "Store in batches", color: "bg-plot-6" },
  delete: { label: "Delete", color: "bg-plot-5" },
};

export const kindOrder = Object.keys(requestKinds) as Kind[];
