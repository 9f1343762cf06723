import { startSite as startSiteOf } from "@periscope/harness/site";

/** Pages of a site of its own, on `localhost`, where the server is not. An address that ends with `.pdf` is a PDF; `sandboxed` ones have a policy of that name. */
export async function startSite(pages: Readonly<Record<string, string>>, { sandboxed = [] }: { sandboxed?: readonly string[] } = {}) {
  const site = await startSiteOf((path) => {
    const page = pages[path];
    if (page === undefined) return undefined;
    if (path.endsWith(".pdf")) return { type: "application/pdf", text: page };
    const headers = sandboxed.includes(path) ? { "content-security-policy": "sandbox" } : {};
    return { type: "text/html; charset=utf-8", text: `<!doctype html><html lang="en">${page}</html>`, headers };
  });
  return { ...site, url: site.origin.replace("127.0.0.1", "localhost") };
}

/** A page with a card number, which is removed at every level. */
export const keeper = `<title>The keeper of the lighthouse</title><article><h1>The keeper</h1><p>At dusk she lights the lamp; the ferries find home.</p>
<p>Paid with card 4111 1111 1111 1111 in spring.</p></article>`;
