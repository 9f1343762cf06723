import type { ContextType, PrivacyLevel } from "@periscope/schemas";
import { kinds, levels } from "../ui/context-facts.js";

/** What Explore shows; kept in the page's address. Times are timestamps. */
export interface Filter {
  query?: string;
  type?: ContextType;
  privacyLevel?: PrivacyLevel;
  site?: string;
  extensionId?: string;
  since?: string;
  until?: string;
}

/** Reads the filter from an address. What makes no sense is left out. */
export function readFilter(search: Record<string, unknown>): Filter {
  const filter: Filter = {};
  for (const name of ["query", "site", "extensionId"] as const) {
    const value = search[name];
    // The router reads a number where only digits were typed.
    if ((typeof value === "string" && value !== "") || typeof value === "number") filter[name] = String(value);
  }
  for (const name of ["since", "until"] as const) {
    const value = search[name];
    if (typeof value === "string" && !Number.isNaN(Date.parse(value))) filter[name] = value;
  }
  const { type, privacyLevel } = search;
  if (typeof type === "string" && type in kinds) filter.type = type as ContextType;
  if (typeof privacyLevel === "string" && privacyLevel in levels) filter.privacyLevel = privacyLevel as PrivacyLevel;
  return filter;
}
