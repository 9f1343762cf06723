import { startIdentityProvider } from "@periscope/harness/identity-provider";
import { addPerson, createOwner, startBrowser, startPortal } from "@periscope/harness/portal";
import { test as plain } from "vitest";

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

/**
 * `test` with a browser, and with the portal of a person whom no other test knows. Browser and server are those of the worker: to start
 * them takes longer than most tests. What concerns a whole server starts one of its own. No file extends this: it would be given another
 * browser and server.
 */
export const test = plain
  .extend("browserOfWorker", { scope: "worker" }, async ({}, { onCleanup }) => {
    const chromium = await startBrowser();
    onCleanup(() => chromium[Symbol.asyncDispose]());
    return chromium;
  })
  .extend("server", { scope: "worker" }, async ({}, { onCleanup }) => {
    const server = await startPortal({ environment: { SIGN_UP: "invite", RATE_LIMIT_ANONYMOUS: "1000000000" } });
    onCleanup(() => server[Symbol.asyncDispose]());
    return { ...server, cookie: await createOwner(server) };
  })
  // Lets everybody in whom its identity provider knows.
  .extend("serverWithProvider", { scope: "file" }, async ({}, { onCleanup }) => {
    const stack = new AsyncDisposableStack();
    onCleanup(() => stack.disposeAsync());
    const idp = stack.use(await startIdentityProvider());
    const { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET } = idp;
    const portal = stack.use(await startPortal({ environment: { SIGN_UP: "open", OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } }));
    idp.redirectTo = `${portal.origin}/portal/auth/callback/oidc`;
    return { ...portal, idp, cookie: await createOwner(portal) };
  })
  .extend("chromium", async ({ browserOfWorker }, { onCleanup }) => {
    onCleanup(() => browserOfWorker.closePages());
    return browserOfWorker;
  })
  .extend("portal", async ({ server }) => await addPerson(server, server.cookie));
