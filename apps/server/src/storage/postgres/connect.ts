import pg from "pg";
import { placeOf } from "../../database-url.js";

/**
 * A connection outside any pool, for commands. The rejection says what to do: start the server, or correct the address, the user, the
 * password or the name. @param setting that names the address, for the message
 */
export async function connect(databaseUrl: string, options: pg.ClientConfig, setting = "DATABASE_URL"): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, ...options });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Error(explainConnection(error, databaseUrl, setting), { cause: error });
  }
}

/** What to do about a connection that could not be made. @param setting that names the address */
export function explainConnection(error: unknown, databaseUrl: string, setting: string): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no answer";
  const explanation = explanations[code] ?? (() => `cannot be reached (${code}). Start it, or correct ${setting}.`);
  return `${placeOf(databaseUrl)} ${explanation(setting)}`;
}

const wrongUser = (setting: string) => `does not accept the user or the password that ${setting} gives.`;
const explanations: Record<string, (setting: string) => string> = {
  "3D000": (setting) => `does not exist: there is a server, and no database of this name. Make it with createdb, or correct ${setting}.`,
  "28P01": wrongUser,
  "28000": wrongUser,
  "53300": () => "has no connection left. End some, or raise its max_connections.",
};
