import type { BetterAuthPlugin } from "better-auth";
import { ulid } from "ulid";
import type { AuthDatabase } from "./accounts.store.js";

export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface AuthOptions {
  database: AuthDatabase;
  /** Signs the cookies of sessions. */
  secret: string;
  /** Address of the portal, without a trailing slash. */
  baseUrl: string;
  oidc: OidcOptions | null;
  /** Whether a person whom the identity provider signs in for the first time gets an account. */
  oidcSignsUp: boolean;
  /** Makes a user for a new account that names none, and returns its id. */
  createUser: () => Promise<string>;
  maySignIn: (userId: string) => Promise<boolean>;
  onSignIn: (userId: string) => Promise<void>;
  /** Receives what better-auth warns of. It names no person and no secret. */
  onWarning: (message: string) => void;
}

export const authPath = "/portal/auth";

/** The cookie that holds a session, without the prefix that https adds. */
export const sessionCookie = "periscope.session_token";

/** The header that carries a client's address to better-auth. The server sets it, whatever the client sent. */
export const addressHeader = "x-periscope-address";

/** The identity provider's name in better-auth, and in the address that it redirects to. */
export const oidcProvider = "oidc";

export const passwordChars = { min: 10, max: 128 };

const day = 86_400;

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** Loads better-auth, which takes 50 MB: a server whose portal nobody opens does without. */
export async function createAuth(options: AuthOptions) {
  const { database, secret, baseUrl, oidc, oidcSignsUp, createUser, maySignIn, onSignIn, onWarning } = options;
  const [{ betterAuth }, { APIError }, { passkey }, { genericOAuth }] = await Promise.all([
    import("better-auth/minimal"),
    import("better-auth/api"),
    import("@better-auth/passkey"),
    import("better-auth/plugins/generic-oauth"),
  ]);
  const passkeys: BetterAuthPlugin = passkey({
    rpName: "Periscope",
    // Browsers know no passkeys of IP addresses.
    rpID: /^[\d.]+$|:/.test(new URL(baseUrl).hostname) ? "localhost" : new URL(baseUrl).hostname,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    authentication: {
      afterVerification({ verification }) {
        // It stands for a password, so that having the device is not enough.
        if (!verification.authenticationInfo.userVerified)
          throw new APIError("UNAUTHORIZED", {
            message: "The passkey did not ask who you are. Use one with a PIN, a fingerprint or a face.",
          });
      },
    },
    schema: { passkey: { modelName: "authPasskey" } },
  });
  const providers = genericOAuth({
    config: oidc
      ? [
          {
            providerId: oidcProvider,
            discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
            clientId: oidc.clientId,
            clientSecret: oidc.clientSecret,
            scopes: ["openid", "profile", "email"],
            requireIdTokenVerification: true,
            disableSignUp: !oidcSignsUp,
          },
        ]
      : [],
  });
  return betterAuth({
    appName: "Periscope",
    baseURL: baseUrl,
    basePath: authPath,
    secret,
    database,
    telemetry: { enabled: false },
    // Messages only: what comes with them can name a person.
    logger: { level: "warn", log: (_level, message) => onWarning(message) },
    // The rate limiter of the server counts over all processes.
    rateLimit: { enabled: false },
    // The server has checked the origin of each request, so that any of its own names is trusted.
    trustedOrigins: (request) => [request?.headers.get("origin")],
    // What it does not expect comes out of its handler.
    onAPIError: { errorURL: "/sign-in", throw: true },
    advanced: {
      cookiePrefix: "periscope",
      useSecureCookies: baseUrl.startsWith("https:"),
      // Off by default where NODE_ENV is "test".
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => ulid() },
    },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by setup, invites and the portal's own sign-up.
      disableSignUp: true,
      minPasswordLength: passwordChars.min,
      maxPasswordLength: passwordChars.max,
    },
    session: { modelName: "authSession", expiresIn: 30 * day, updateAge: day },
    account: {
      modelName: "authAccount",
      encryptOAuthTokens: true,
      // Nobody's account is taken over by an equal email address: people connect the provider while they are signed in.
      accountLinking: { disableImplicitLinking: true, allowDifferentEmails: true, trustedProviders: [oidcProvider] },
    },
    verification: { modelName: "authVerification" },
    user: {
      modelName: "authUser",
      additionalFields: {
        isOwner: { type: "boolean", required: true, defaultValue: false, input: false },
        disabledAt: { type: "date", required: false, input: false },
        lastSignInAt: { type: "date", required: false, input: false },
      },
    },
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, id: user.id ?? (await createUser()) } }) } },
      session: {
        create: {
          async before({ userId }) {
            if (!(await maySignIn(userId))) throw new APIError("FORBIDDEN", { message: "This account is disabled. Ask the owner." });
          },
          after: ({ userId }) => onSignIn(userId),
        },
      },
    },
    plugins: [passkeys, providers],
  });
}
