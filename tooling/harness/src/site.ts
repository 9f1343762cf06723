import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A file of a site: its type and its text, with further headers. */
export interface SiteFile {
  type: string;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** What a site answers at a path: a file, or what a function does with the response, such as never ending it. */
export type SiteAnswer = SiteFile | ((response: ServerResponse) => void);

/** A request that a site was asked. */
export interface SiteRequest {
  path: string;
  /** The header `Sec-Purpose`, which tells that a browser loads a page ahead. */
  purpose: string | undefined;
}

/** A site on this machine. */
export interface Site extends AsyncDisposable {
  origin: string;
  /** Requests in order of arrival. */
  requests: SiteRequest[];
}

/** Starts a site that answers what `answerAt` returns; 404 elsewhere. */
export async function startSite(answerAt: (path: string) => SiteAnswer | undefined | Promise<SiteAnswer | undefined>): Promise<Site> {
  const requests: SiteRequest[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site.invalid").pathname;
    const { "sec-purpose": purpose } = request.headers;
    requests.push({ path, purpose: Array.isArray(purpose) ? purpose.join() : purpose });
    void respond(path, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function respond(path: string, response: ServerResponse): Promise<void> {
    const answer = await answerAt(path);
    if (answer === undefined) response.writeHead(404, { "content-type": "text/plain" }).end();
    else if (typeof answer === "function") answer(response);
    else response.writeHead(200, { "content-type": answer.type, ...answer.headers }).end(answer.text);
  }
}
