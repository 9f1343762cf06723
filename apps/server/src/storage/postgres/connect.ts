import pg from "pg";
import { placeOf } from "../../database-url.js";

/**
 * A connection outside any pool, for commands. The rejection says what to do: start the server, or correct the address, the user, the
 * password or the name.
 */
export async function connect(databaseUrl: string, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, ...options });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no answer";
    const explanation = explanations[code] ?? `cannot be reached (${code}). Start it, or correct DATABASE_URL.`;
    throw new Error(`${placeOf(databaseUrl)} ${explanation}`, { cause: error });
  }
}

const wrongUser = "does not accept the user or the password in DATABASE_URL. Correct them.";
const explanations: Record<string, string> = {
  "3D000": "does not exist: the server answers, but it has no database of this name. Create it with createdb, or correct DATABASE_URL.",
  "28P01": wrongUser,
  "28000": wrongUser,
  "53300": "has no connection left. Close some, or raise its max_connections.",
};
