import type { Engine } from "./engine.js";
import { postgresEngine } from "./postgres/engine.js";
import { sqliteEngine } from "./sqlite/engine.js";

/** The engine for a database URL: `postgres:` and `postgresql:` name a server, `file:` and `sqlite:` a file. Throws `RangeError` for any other. */
export function engineOf(databaseUrl: string): Engine {
  return /^postgres(?:ql)?:/i.test(databaseUrl) ? postgresEngine(databaseUrl) : sqliteEngine(databaseUrl);
}
