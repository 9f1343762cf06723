import type { EngineName } from "../options.ts";
import { openPostgresStore } from "./postgres-store.ts";
import type { ScaleStore } from "./scale-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** Where a store is, and what is to be remembered of it. */
export interface StorePlace {
  directory: string;
  epoch: number;
  /** Keys by user; those that are made are added. */
  keys: Record<string, string>;
  signal: AbortSignal;
}

/** Opens a store and starts its server, with the defaults of everything but rate limits. */
export function openStore(engine: EngineName, place: StorePlace): Promise<ScaleStore> {
  return engine === "sqlite" ? openSqliteStore(place) : openPostgresStore(place);
}
