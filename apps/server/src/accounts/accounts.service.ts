import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccessService } from "../access/access.service.js";
import { allScopes } from "../access/access.store.js";
import type { Clock } from "../deps.js";
import { badParameter, DomainError, forbidden } from "../domain-error.js";
import type { RateLimiter } from "../rates/rate-limiter.js";
import type { AccountsStore } from "./accounts.store.js";
import { addressHeader, type Auth, createAuth, passwordChars, sessionCookie } from "./auth.js";
import type { InvitesService } from "./invites.service.js";

/** A person with a session. Times are milliseconds since the epoch. */
export interface SignedIn {
  userId: string;
  name: string;
  email: string;
  isOwner: boolean;
  sessionId: string;
  signedInAt: number;
}

/** What a person chooses for a new account. */
export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

export interface AccountsServiceOptions {
  store: AccountsStore;
  invites: InvitesService;
  access: AccessService;
  limiter: Pick<RateLimiter, "take">;
  clock: Clock;
  /** Signs the cookies of sessions; without it, the database keeps a secret that was made once. */
  secret: string | undefined;
  /** Address of the portal, asked for on first use. */
  baseUrl: () => string;
  onWarning: (message: string) => void;
}

/** People's accounts in the portal, and their sessions. */
export type AccountsService = ReturnType<typeof createAccountsService>;

/** Attempts to sign in a minute, for one account and for one address. */
const attempts = { account: 5, address: 20 };

/** Creates the service over a store. better-auth is loaded on first use. */
export function createAccountsService(options: AccountsServiceOptions) {
  const { store, invites, access, limiter, clock } = options;
  let loading: Promise<Auth> | undefined;
  const load = async (): Promise<Auth> => {
    const secret = options.secret ?? (await store.secret("sessions", randomBytes(32).toString("base64url"), clock()));
    return await createAuth({ database: await store.authDatabase(), secret, baseUrl: options.baseUrl(), onWarning: options.onWarning });
  };
  const auth = () => {
    loading ??= load();
    // A failure, such as of the database, is not kept.
    loading.catch(() => (loading = undefined));
    return loading;
  };

  return {
    /** The person of a request's session; null without one. Renews the cookie by the answer, where one is given. */
    async signedIn(req: IncomingMessage, res?: ServerResponse): Promise<SignedIn | null> {
      if (!req.headers.cookie?.includes(`${sessionCookie}=`)) return null;
      const { api } = await auth();
      const { response: found, headers } = await api.getSession({ headers: toHeaders(req), returnHeaders: true });
      if (!found || found.user.disabledAt) return null;
      if (res) setCookies(res, headers);
      const { user, session } = found;
      const { id: userId, name, email, isOwner } = user;
      return { userId, name, email, isOwner, sessionId: session.id, signedInAt: session.createdAt.getTime() };
    },

    /** Whether a token makes the owner's account now. */
    async canSetUp(token: string): Promise<boolean> {
      const invite = await invites.find(token);
      return invite?.isOwner === true && !(await store.hasAccounts());
    },

    /**
     * Makes the owner's account and their first key by a setup token, which then ends. If there is exactly one user, made by keys, the
     * owner takes that user. Throws `forbidden` when the token is wrong, used or expired, and `bad_request`.
     */
    async completeSetup(token: string, account: NewAccount): Promise<{ userId: string; key: string }> {
      checkAccount(account);
      const invite = await invites.redeem(token);
      if (!invite?.isOwner || (await store.hasAccounts())) throw wrongSetupToken();
      const [only, ...others] = await access.listUsers();
      const { userId } = only && others.length === 0 ? only : await access.createUser();
      await createAccount(await auth(), { ...account, userId, isOwner: true });
      const { key } = await access.createKey({ userId, name: "first key", scopes: allScopes });
      return { userId, key };
    },

    /** Signs a person in, and sets the cookie of the session. Throws `unauthorized`, the same for an unknown address and a wrong password. */
    async signIn(req: IncomingMessage, res: ServerResponse, { email, password }: Pick<NewAccount, "email" | "password">): Promise<void> {
      const { api } = await auth();
      const answer = await api.signInEmail({ body: { email, password }, headers: toHeaders(req), asResponse: true });
      if (!answer.ok) throw new DomainError("unauthorized", "The email address or the password is wrong.");
      setCookies(res, answer.headers);
    },

    /** Ends the session of a request. */
    async signOut(req: IncomingMessage, res: ServerResponse): Promise<void> {
      const { api } = await auth();
      setCookies(res, (await api.signOut({ headers: toHeaders(req), asResponse: true })).headers);
    },

    /** Counts an attempt to sign in. Throws `rate_limited` when there were too many for the account or from the address. */
    async countAttempt(email: string, address: string): Promise<void> {
      const account = createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
      const decisions = await Promise.all([
        limiter.take(`address:${address}`, "signIn", attempts.address),
        limiter.take(`account:${account}`, "signIn", attempts.account),
      ]);
      const refused = decisions.filter(({ allowed }) => !allowed);
      if (refused.length === 0) return;
      throw new DomainError("rate_limited", "Too many attempts to sign in. Wait a minute, then try again.", {
        retryAfterSeconds: Math.max(...refused.map(({ resetInMs }) => Math.ceil(resetInMs / 1000)), 1),
      });
    },

    /** Answers a request to better-auth itself. */
    answer: async (request: Request): Promise<Response> => (await auth()).handler(request),
  };
}

async function createAccount(auth: Auth, account: NewAccount & { userId: string; isOwner: boolean }): Promise<void> {
  const { password, internalAdapter } = await auth.$context;
  const { userId, name, email, isOwner } = account;
  const hash = await password.hash(account.password);
  const user = { id: userId, name: name.trim(), email: email.trim(), emailVerified: false, isOwner };
  await internalAdapter.createUser(user, { method: "email-password" });
  await internalAdapter.linkAccount({ userId, accountId: userId, providerId: "credential", password: hash });
}

function checkAccount({ name, email, password }: NewAccount): void {
  if (name.trim() === "" || name.length > 128 || /\p{Cc}/u.test(name)) throw badParameter("name", "must have 1 to 128 characters");
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email.trim())) throw badParameter("email", "must be an email address");
  const { min, max } = passwordChars;
  if (password.length < min || password.length > max) throw badParameter("password", `must have ${min} to ${max} characters`);
}

const wrongSetupToken = () =>
  forbidden("This setup address was used or has expired. Start the server again: it prints a new one while nobody has an account.");

/** The headers of a request for better-auth, with the client's address. */
export function toHeaders(req: IncomingMessage & { ip?: string | undefined }): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers.set(name, String(value));
  headers.set(addressHeader, req.ip ?? req.socket.remoteAddress ?? "");
  return headers;
}

/** Sets the cookies of an answer of better-auth. */
export function setCookies(res: ServerResponse, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) res.appendHeader("Set-Cookie", cookie);
}
