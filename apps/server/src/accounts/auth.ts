import type { betterAuth, BetterAuthOptions } from "better-auth/minimal";
import { ulid } from "ulid";
import type { AuthDatabase } from "./accounts.store.js";

/** What better-auth is configured with. */
export interface AuthOptions {
  database: AuthDatabase;
  /** Signs the cookies of sessions. */
  secret: string;
  /** Address of the portal, without a trailing slash. */
  baseUrl: string;
  /** Receives what better-auth warns of. It names no person and no secret. */
  onWarning: (message: string) => void;
}

/** Where better-auth answers. */
export const authPath = "/portal/auth";

/** The cookie that holds a session, without the prefix that https adds. */
export const sessionCookie = "periscope.session_token";

/** The header that carries a client's address to better-auth. The server sets it, whatever the client sent. */
export const addressHeader = "x-periscope-address";

/** Lengths of a password, in characters. */
export const passwordChars = { min: 10, max: 128 };

const day = 86_400;

function authOptions({ database, secret, baseUrl, onWarning }: AuthOptions) {
  return {
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
    advanced: {
      cookiePrefix: "periscope",
      useSecureCookies: baseUrl.startsWith("https:"),
      // Off by default where NODE_ENV is "test".
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: ({ model }) => (model === "user" ? `usr_${ulid()}` : ulid()) },
    },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by setup and invites.
      disableSignUp: true,
      minPasswordLength: passwordChars.min,
      maxPasswordLength: passwordChars.max,
    },
    session: { modelName: "authSession", expiresIn: 30 * day, updateAge: day },
    account: { modelName: "authAccount" },
    verification: { modelName: "authVerification" },
    user: {
      modelName: "authUser",
      additionalFields: {
        isOwner: { type: "boolean", required: true, defaultValue: false, input: false },
        disabledAt: { type: "date", required: false, input: false },
        lastSignInAt: { type: "date", required: false, input: false },
      },
    },
  } as const satisfies BetterAuthOptions;
}

/** better-auth, as this server uses it. */
export type Auth = ReturnType<typeof betterAuth<ReturnType<typeof authOptions>>>;

/** Loads better-auth, which takes 50 MB: a server whose portal nobody opens does without. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const { betterAuth } = await import("better-auth/minimal");
  return betterAuth(authOptions(options));
}
