import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../config/config.js";
import { serverOf } from "./data-directory.js";
import { isPostgresUrl } from "../database-url.js";
import type { Finding } from "./doctor-checks.js";
import { explainFailure } from "./failure.js";

/** Whether the address can be listened on, or a Periscope listens there already. */
export async function checkPort({ host, port, dataDir, databaseUrl }: Config): Promise<Finding> {
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  // With PostgreSQL the data directory is nobody's, and a server that runs on it is another installation's.
  const isOwnDirectory = !isPostgresUrl(databaseUrl);
  const running = isOwnDirectory ? serverOf(dataDir) : null;
  const process = running?.presence ? ` (process ${running.presence.pid}, ${running.presence.address ?? "starting"})` : "";
  if (running !== null) return { ok: true, what: `server: running on this data directory${process}` };
  if (port === 0) return { ok: true, what: "port: any free one" };
  const error = await listenError(host, port);
  if (error === null) return { ok: true, what: `port: ${place} is free` };
  if ((error as { code?: unknown }).code === "EADDRINUSE" && (await isPeriscope(place)))
    return {
      ok: true,
      what: `port: ${place} is served by a Periscope with another ${isOwnDirectory ? "data directory; this one" : "database, or on this one; a second one"} needs another port`,
    };
  return { ok: false, what: `port: ${place} cannot be listened on`, advice: explainFailure(error).message };
}

async function listenError(host: string, port: number): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return null;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}

/** The OpenAPI document needs no key and names the service. */
async function isPeriscope(place: string): Promise<boolean> {
  try {
    const url = `http://${place.replace(/^(0\.0\.0\.0|\[::\]):/, "127.0.0.1:")}/api/v1/openapi.json`;
    const response = await fetch(url, { signal: AbortSignal.timeout(3000) });
    const { info } = (await response.json()) as { info?: { title?: unknown } };
    return info?.title === "Periscope";
  } catch {
    return false;
  }
}
