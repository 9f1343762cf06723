import { startIdentityProvider } from "@periscope/harness/identity-provider";
import { expect } from "vitest";
import { PortalClient } from "./portal-client.js";
import { Installation } from "./server-process.js";

/** Follows a sign-in from the address that the portal names to the one where the provider sends the person back to. */
export async function visit(address: string, back: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let url = address; ;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const res = await fetch(url, { redirect: "manual", headers: { Cookie: cookie } });
    for (const [, name = "", value = ""] of res.headers.getSetCookie().flatMap((line) => [/^([^=]+)=([^;]*)/.exec(line) ?? []]))
      cookies.set(name, value);
    const location = res.headers.get("location");
    if (location === null) throw new Error(`The provider answered ${res.status}: ${await res.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(back)) return url;
  }
}

/** A person about to come back from the provider, to a server that keeps a log. */
export async function startLogged() {
  const stack = new AsyncDisposableStack();
  const idp = stack.use(await startIdentityProvider());
  const oidc = { OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: idp.clientId, OIDC_CLIENT_SECRET: idp.clientSecret };
  const installation = stack.use(await Installation.create({ ...oidc, SIGN_UP: "open", LOG_LEVEL: "info" }));
  const server = await installation.serve();
  const address = new URL(server.baseUrl).origin;
  idp.redirectTo = `${address}/portal/auth/callback/oidc`;
  const browser = new PortalClient({ baseUrl: server.baseUrl, address });
  const { data } = await browser.mutate("session.signInByOidc");
  const { pathname, search } = new URL(await visit((data as { url: string }).url, idp.redirectTo));
  /** Comes back. Returns where that leads, and what the log says of it. */
  const comeBack = async (query = search) => {
    const { headers } = await browser.send("GET", pathname + query);
    expect(await server.end("SIGTERM")).toBe(0);
    const line = server.out.split("\n").find((text) => text.includes('"route":"/portal/auth/callback/oidc"')) ?? "{}";
    return { location: headers.get("location"), line: JSON.parse(line) as object };
  };
  return { database: installation.database, comeBack, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
