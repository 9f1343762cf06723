import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { AccessService } from "../access/access.service.js";
import { allScopes } from "../access/access.store.js";
import type { Config } from "../config/config.js";
import type { Clock } from "../deps.js";
import { badParameter, badRequest, conflict, DomainError, forbidden, notFound, rateLimited, unavailable } from "../domain-error.js";
import type { RateLimiter } from "../rates/rate-limiter.js";
import type { AccountsStore, Invite, Session } from "./accounts.store.js";
import { addressHeader, type Auth, type AuthOptions, createAuth, oidcProvider, passwordChars, sessionCookie } from "./auth.js";
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

export const NewAccount = z.object({ name: z.string(), email: z.string(), password: z.string() });
export type NewAccount = z.infer<typeof NewAccount>;

export interface AccountsServiceOptions extends Pick<Config, "signUp" | "oidc" | "sessionSecret">, Pick<AuthOptions, "onWarning"> {
  store: AccountsStore;
  invites: InvitesService;
  access: AccessService;
  limiter: Pick<RateLimiter, "take">;
  clock: Clock;
  /** Address of the portal, asked for on first use. */
  baseUrl: () => string;
  /** Receives why a failed sign-up could not be undone: part of the account is still stored, or its token is lost. */
  onUndoFailed: (error: unknown) => void;
}

/** Attempts to sign in a minute, for one account and for one address. */
const attempts = { account: 5, address: 20 };

/** Where a person may go after signing in: a path of the portal, never another site. */
const portalPath = /^\/(?![/\\])[\w./?=&%~+:@*-]*$/;

/** People's accounts in the portal, and their sessions. better-auth is loaded on first use. */
export function createAccountsService(options: AccountsServiceOptions) {
  const { store, invites, access, limiter, clock, signUp, oidc, baseUrl, onUndoFailed } = options;
  const auth = createLoader(options);

  const isTaken = async (email: string) => {
    const { internalAdapter } = await (await auth()).$context;
    return (await internalAdapter.findUserByEmail(email.trim().toLowerCase())) !== null;
  };
  /** The answer of a step that follows a failure, and that may fail itself: it must not hide the failure. */
  const orWarn = (step: Promise<unknown>): Promise<unknown> => step.catch(onUndoFailed);

  /**
   * Does all for an account that is slow or may be refused, before anything is written. Throws `conflict` when the email address has an
   * account.
   */
  const prepareAccount = async ({ name, email, password }: NewAccount) => {
    const { password: passwords, internalAdapter } = await (await auth()).$context;
    // Before anything tells whether the address has an account, so that it takes the same time.
    const hash = await passwords.hash(password);
    if (await isTaken(email)) throw emailTaken();
    /** Stores the account for a user, a new one when none is named, and what `finish` makes for it. Nothing of it stays when either fails. */
    return async <Made>(
      { userId: existing, isOwner }: { userId?: string | undefined; isOwner: boolean },
      finish: (userId: string) => Promise<Made>,
    ): Promise<Made> => {
      const id = existing ?? (await access.createUser()).userId;
      let isMade = false;
      try {
        const person = { id, name: name.trim(), email: email.trim(), emailVerified: false, isOwner };
        await internalAdapter.createUser(person, { method: "email-password" });
        isMade = true;
        await internalAdapter.linkAccount({ userId: id, accountId: id, providerId: "credential", password: hash });
        return await finish(id);
      } catch (error) {
        if (existing === undefined) await orWarn(access.deleteUser(id));
        // An account of this user that another request has made stays.
        else if (isMade) await orWarn(internalAdapter.deleteUser(id));
        // Of several requests at once, another one was first.
        throw !isMade && (await isTaken(email).catch(() => false)) ? emailTaken() : error;
      }
    };
  };
  /** The invite of a token of this kind. Throws `forbidden`. */
  const requireInvite = async (found: Promise<Invite | null>, isOwner: boolean): Promise<Invite> => {
    const invite = await found;
    if (invite?.isOwner !== isOwner) throw isOwner ? wrongSetupToken() : wrongInvite();
    return invite;
  };
  /** Ends a token of this kind for what `make` writes. Throws `forbidden`. The token stays valid when `make` fails. */
  const redeem = async <Made>(token: string, { isOwner }: { isOwner: boolean }, make: () => Promise<Made>): Promise<Made> => {
    const invite = await requireInvite(invites.redeem(token, { isOwner }), isOwner);
    try {
      return await make();
    } catch (error) {
      await orWarn(invites.restore(invite));
      throw error;
    }
  };
  /** The address of the identity provider where a sign-in goes on, or where an account is connected. */
  const startOidc = async (req: IncomingMessage, res: ServerResponse, { returnTo, connects }: { returnTo: string; connects: boolean }) => {
    if (!portalPath.test(returnTo)) throw badParameter("returnTo", "must be a path of the portal, such as /explore");
    // The provider leads back to the public address, where the cookies of another name are not sent.
    const { origin } = new URL(baseUrl());
    if (req.headers.origin !== origin) return origin + (connects ? returnTo : `/sign-in?to=${encodeURIComponent(returnTo)}`);
    const { api } = await auth();
    const errorCallbackURL = connects ? "/account" : "/sign-in";
    const body = { provider: oidcProvider, callbackURL: returnTo, errorCallbackURL, disableRedirect: true };
    const request = { body, headers: toHeaders(req), asResponse: true } as const;
    const answer = connects ? await api.linkSocialAccount(request) : await api.signInSocial(request);
    const { url } = (await answer.json()) as { url?: string };
    if (!answer.ok || url === undefined) throw unavailable("The identity provider does not respond. Try again in a minute.", 60);
    setCookies(res, answer.headers);
    return url;
  };

  /** Counts an attempt to give a password. Throws `rate_limited` when there were too many for the account or from the address. */
  const countAttempt = async (email: string, address: string): Promise<void> => {
    const account = createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
    const decisions = await Promise.all([
      limiter.take(`address:${address}`, "signIn", attempts.address),
      limiter.take(`account:${account}`, "signIn", attempts.account),
    ]);
    const refused = decisions.filter(({ allowed }) => !allowed);
    if (refused.length === 0) return;
    throw rateLimited(
      "Too many attempts to sign in. Wait a minute, then try again.",
      Math.max(...refused.map(({ resetInMs }) => Math.ceil(resetInMs / 1000)), 1),
    );
  };

  return {
    countAttempt,

    signInOptions: async () => ({
      needsSetup: !(await store.hasOwner()),
      canSignUp: signUp === "open" && oidc === null,
      hasOidc: oidc !== null,
    }),

    /** The person of a request's session; null without one. Renews the session and its cookie, where an answer takes the cookie. */
    async signedIn(req: IncomingMessage, res?: ServerResponse): Promise<SignedIn | null> {
      if (!req.headers.cookie?.includes(`${sessionCookie}=`)) return null;
      const { api } = await auth();
      const query = { disableRefresh: res === undefined };
      const { response: found, headers } = await api.getSession({ headers: toHeaders(req), query, returnHeaders: true });
      if (!found || found.user.disabledAt) return null;
      if (res) setCookies(res, headers);
      const { user, session } = found;
      const { id: userId, name, email, isOwner } = user;
      return { userId, name, email, isOwner, sessionId: session.id, signedInAt: session.createdAt.getTime() };
    },

    /** Whether a token makes an account now: the owner's by setup, or another by invite. */
    async canRedeem(token: string, { isOwner }: { isOwner: boolean }): Promise<boolean> {
      if (isOwner ? await store.hasOwner() : signUp === "closed") return false;
      return (await invites.find(token))?.isOwner === isOwner;
    },

    /**
     * Makes the owner's account and their first key by a setup token, which then ends. If there is exactly one user, made by keys, the
     * owner takes that user. Throws `forbidden` when the token is wrong, used or expired, `bad_request`, and
     * `conflict` when that user has 100 keys, or the email address has an account: the token stays valid.
     */
    async completeSetup(token: string, account: NewAccount): Promise<{ userId: string; key: string }> {
      checkAccount(account);
      if (await store.hasOwner()) throw wrongSetupToken();
      await requireInvite(invites.find(token), true);
      const createAccount = await prepareAccount(account);
      const [[only, ...others], accounts] = await Promise.all([access.listUsers(), store.listAccounts()]);
      const userId = others.length === 0 && accounts.length === 0 ? only?.userId : undefined;
      return await redeem(token, { isOwner: true }, () =>
        createAccount({ userId, isOwner: true }, async (id) => {
          const { key } = await access.createKey({ userId: id, name: "first key", scopes: allScopes });
          return { userId: id, key };
        }),
      );
    },

    /** Makes an account by an invite, which then ends. Throws `forbidden`, `bad_request`, and `conflict` when the email address has an account: the invite stays valid. */
    async acceptInvite(token: string, account: NewAccount): Promise<{ userId: string }> {
      checkAccount(account);
      if (signUp === "closed") throw forbidden("This installation takes no new accounts. Ask its owner.");
      await requireInvite(invites.find(token), false);
      const createAccount = await prepareAccount(account);
      return await redeem(token, { isOwner: false }, () => createAccount({ isOwner: false }, async (userId) => ({ userId })));
    },

    /** Makes an account for anybody. It does the same, and says nothing else, when the email address has one. Throws `forbidden`, `bad_request`. */
    async signUp(account: NewAccount): Promise<void> {
      checkAccount(account);
      if (signUp !== "open" || oidc !== null) throw forbidden("This installation takes no new accounts without an invite. Ask its owner.");
      try {
        const createAccount = await prepareAccount(account);
        await createAccount({ isOwner: false }, async () => {});
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    },

    /** Signs a person in, and sets the cookie of the session. Throws `unauthorized`, the same for an unknown address and a wrong password, and `forbidden` when the account is disabled. */
    async signIn(req: IncomingMessage, res: ServerResponse, { email, password }: Pick<NewAccount, "email" | "password">): Promise<void> {
      const { api } = await auth();
      const answer = await api.signInEmail({ body: { email: email.trim(), password }, headers: toHeaders(req), asResponse: true });
      if (answer.status === 403) throw forbidden("This account is disabled. Ask the owner of this server.");
      if (!answer.ok) throw new DomainError("unauthorized", "The email address or the password is wrong.");
      setCookies(res, answer.headers);
    },

    /** Begins a sign-in at the identity provider. Throws `bad_request`, `unavailable`. */
    signInByOidc: (req: IncomingMessage, res: ServerResponse, returnTo: string) => startOidc(req, res, { returnTo, connects: false }),

    /** Begins to connect the identity provider with the account of the session. Throws as above. */
    connectOidc: (req: IncomingMessage, res: ServerResponse) => startOidc(req, res, { returnTo: "/account", connects: true }),

    async signOut(req: IncomingMessage, res: ServerResponse): Promise<void> {
      const { api } = await auth();
      setCookies(res, (await api.signOut({ headers: toHeaders(req), asResponse: true })).headers);
    },

    /**
     * Changes the password of a person and ends their other sessions. Throws `bad_request` when the current one is wrong, and
     * `rate_limited`.
     */
    async changePassword(
      req: IncomingMessage,
      res: ServerResponse,
      change: { email: string; current: string; next: string },
    ): Promise<void> {
      checkPassword(change.next, "next");
      await countAttempt(change.email, addressOf(req));
      const { api } = await auth();
      const body = { currentPassword: change.current, newPassword: change.next, revokeOtherSessions: true };
      const answer = await api.changePassword({ body, headers: toHeaders(req), asResponse: true });
      if (!answer.ok) throw wrongPassword("current");
      setCookies(res, answer.headers);
    },

    /** Gives an account a new password, which is returned once, and ends its sessions. Throws `not_found`. */
    async resetPassword(userId: string): Promise<string> {
      const { password, internalAdapter } = await (await auth()).$context;
      if (!(await internalAdapter.findUserById(userId))) throw notFound("This user has no account.");
      const made = randomBytes(12).toString("base64url");
      const hash = await password.hash(made);
      if (await internalAdapter.findCredentialAccount(userId)) await internalAdapter.updatePassword(userId, hash);
      else await internalAdapter.linkAccount({ userId, accountId: userId, providerId: "credential", password: hash });
      await internalAdapter.deleteUserSessions(userId);
      return made;
    },

    /**
     * Changes a person's name, and their email address by their password. Throws `bad_request`, `conflict` when another account has the
     * address, and `rate_limited`.
     */
    async changeProfile(
      req: IncomingMessage,
      { userId, email: before }: Pick<SignedIn, "userId" | "email">,
      { name, email, password }: NewAccount,
    ): Promise<void> {
      checkPerson({ name, email });
      const context = await (await auth()).$context;
      const next = email.trim().toLowerCase();
      if (next !== before) {
        await countAttempt(before, addressOf(req));
        const credential = await context.internalAdapter.findCredentialAccount(userId);
        const isRight = credential?.password && (await context.password.verify({ hash: credential.password, password }));
        if (!isRight) throw wrongPassword("password");
        if (await isTaken(next)) throw conflict("This email address cannot be used here. Choose another.");
      }
      await context.internalAdapter.updateUser(userId, { name: name.trim(), email: next });
    },

    listSessions: (userId: string): Promise<Session[]> => store.listSessions(userId, clock()),

    /** Ends one session of a person. Throws `not_found`. */
    async endSession(userId: string, id: string): Promise<void> {
      if ((await store.endSessions(userId, { id })) === 0) throw notFound("There is no such session. It has ended already.");
    },

    /** Ends all sessions of a person but one. Returns how many. */
    endOtherSessions: (userId: string, sessionId: string): Promise<number> => store.endSessions(userId, { except: sessionId }),

    /** The ways by which a person can sign in, passkeys left out. */
    async signInMethods(userId: string): Promise<{ hasPassword: boolean; hasOidc: boolean }> {
      const providers = await store.listProviders(userId);
      return { hasPassword: providers.includes("credential"), hasOidc: providers.some((provider) => provider !== "credential") };
    },

    /** Answers a request to better-auth itself. Throws what better-auth does not expect. */
    answer: async (request: Request): Promise<Response> => (await auth()).handler(request),
  };
}

/** A provider that did not respond when better-auth was loaded is asked again after this time. */
const oidcRetryMs = 30_000;

/** Loads better-auth once. A failure, such as of the database, is not kept. */
function createLoader({ store, access, clock, signUp, oidc, sessionSecret, baseUrl, onWarning }: AccountsServiceOptions) {
  let loading: Promise<Auth> | undefined;
  const load = async (): Promise<Auth> => {
    const secret = sessionSecret ?? (await store.secret("sessions", randomBytes(32).toString("base64url"), clock()));
    const auth = await createAuth({
      database: await store.authDatabase(),
      secret,
      baseUrl: baseUrl(),
      oidc,
      oidcSignsUp: signUp === "open",
      createUser: async () => (await access.createUser()).userId,
      maySignIn: (userId) => store.isEnabled(userId),
      onSignIn: (userId) => store.touchAccount(userId, clock()),
      onWarning,
    });
    const { socialProviders } = await auth.$context;
    if (oidc && !socialProviders.some(({ id }) => id === oidcProvider)) setTimeout(() => (loading = undefined), oidcRetryMs).unref();
    return auth;
  };
  return (): Promise<Auth> => {
    if (loading) return loading;
    const attempt = load();
    attempt.catch(() => (loading = undefined));
    return (loading = attempt);
  };
}

function checkAccount({ password, ...person }: NewAccount): void {
  checkPerson(person);
  checkPassword(password, "password");
}

function checkPerson({ name, email }: Pick<NewAccount, "name" | "email">): void {
  if (name.trim() === "" || name.length > 128 || /\p{Cc}/u.test(name)) throw badParameter("name", "must have 1 to 128 characters");
  // As better-auth checks it at sign-in, so that nobody makes an account that cannot sign in.
  if (email.length > 254 || !z.email().safeParse(email.trim()).success) throw badParameter("email", "must be an email address");
}

function checkPassword(password: string, field: string): void {
  const { min, max } = passwordChars;
  if (password.length < min || password.length > max) throw badParameter(field, `must have ${min} to ${max} characters`);
}

const wrongSetupToken = () =>
  forbidden("This setup address was used or has expired. Start the server again: it prints a new one while it has no owner.");

const wrongPassword = (path: string) => badRequest("This is not your password.", [{ path, message: "is not your password" }]);

const isConflict = (error: unknown) => error instanceof DomainError && error.code === "conflict";

const emailTaken = () => conflict("There is an account with this email address. Sign in with it, or choose another address.");

const wrongInvite = () => forbidden("This invite was used or has expired. Ask for a new one.");

/** A request, with the client's address behind trusted proxies. */
type ClientRequest = IncomingMessage & { ip?: string | undefined };

const addressOf = (req: ClientRequest): string => req.ip ?? req.socket.remoteAddress ?? "";

/** The headers of a request for better-auth, with the client's address. */
export function toHeaders(req: ClientRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers.set(name, String(value));
  headers.set(addressHeader, addressOf(req));
  return headers;
}

/** Sets the cookies of an answer of better-auth. */
export function setCookies(res: ServerResponse, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) res.appendHeader("Set-Cookie", cookie);
}
