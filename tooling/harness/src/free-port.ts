import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** A port below those that the system gives to whoever asks for any: between two starts of a server nobody takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      continue;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
