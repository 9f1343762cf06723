import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Pages of a site of its own, on `localhost`, where the server is not. An address that ends with `.pdf` is a PDF; `sandboxed` ones have a policy of that name. */
export async function startSite(pages: Readonly<Record<string, string>>, { sandboxed = [] }: { sandboxed?: readonly string[] } = {}) {
  const requests: { path: string; purpose: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const page = pages[path];
    requests.push({ path, purpose: request.headers["sec-purpose"]?.toString() });
    if (sandboxed.includes(path)) response.setHeader("Content-Security-Policy", "sandbox");
    response.statusCode = page === undefined ? 404 : 200;
    if (path.endsWith(".pdf")) {
      response.setHeader("Content-Type", "application/pdf").end(page);
      return;
    }
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(`<!doctype html><html lang="en">${page ?? ""}</html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    /** What was asked for, and whether it was loaded ahead. */
    requests,
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page with a card number, which is removed at every level. */
export const keeper = `<title>The keeper of the lighthouse</title><article><h1>The keeper</h1><p>At dusk she lights the lamp; the ferries find home.</p>
<p>Paid with card 4111 1111 1111 1111 in spring.</p></article>`;
