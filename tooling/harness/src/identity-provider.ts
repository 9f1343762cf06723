import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A real provider of OpenID Connect on this machine. It signs its person in without asking. */
export interface IdentityProvider extends AsyncDisposable {
  issuer: string;
  /** The one client that it knows. */
  clientId: string;
  clientSecret: string;
  /** Where it may send people back to. The client's address is known only once that listens. */
  redirectTo: string;
  /** Who signs in next. */
  person: { sub: string; email: string; name: string };
}

/** Starts a provider on a free port. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const http = createServer();
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const idp: IdentityProvider = {
    issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    clientId: "periscope",
    clientSecret: "a-secret-of-the-client",
    redirectTo: "",
    person: { sub: "ada-at-work", email: "ada@work.example", name: "Ada at work" },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const provider = new Provider(idp.issuer, {
    clients: [{ client_id: idp.clientId, client_secret: idp.clientSecret, redirect_uris: ["http://127.0.0.1/placeholder"] }],
    clientBasedCORS: () => false,
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["a key of the test"] },
    pkce: { required: () => true },
    findAccount: () => ({ accountId: idp.person.sub, claims: async () => ({ ...idp.person, email_verified: true }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri: string) => uri === idp.redirectTo;
  const answer = provider.callback();
  http.on("request", (req, res) => {
    if (!req.url?.startsWith("/interaction/")) return void answer(req, res);
    void provider.interactionFinished(req, res, { login: { accountId: idp.person.sub } });
  });
  return idp;
}
