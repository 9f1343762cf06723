import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a site has at a path: its type and its text. */
export type SiteFile = { type: string; text: string };

/** A site on this machine. */
export interface Site extends AsyncDisposable {
  origin: string;
}

/** A site that has what `fileAt` says; 404 elsewhere. */
export async function startSite(fileAt: (path: string) => SiteFile | undefined | Promise<SiteFile | undefined>): Promise<Site> {
  const server = createServer((request, response) => {
    void Promise.resolve(fileAt(new URL(request.url ?? "/", "http://site.invalid").pathname)).then(
      (file) => response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.type ?? "text/plain" }).end(file?.text),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
