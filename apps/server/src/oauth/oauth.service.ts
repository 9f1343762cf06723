import { createHash } from "node:crypto";
import { ulid } from "ulid";
import type { KeyInfo } from "../access/access.service.js";
import { allScopes, type Scope } from "../access/access.store.js";
import { hashSecret, newSecret, readSecret, type SecretKind } from "../access/authenticator.js";
import type { Deps } from "../deps.js";
import { badRequest } from "../domain-error.js";
import type { OAuthToken } from "./oauth.store.js";
import { destinationOf, isRegistered, objectionToRedirectUri } from "./redirect-uri.js";
import { dayMs } from "../formats.js";

/** A refusal in the words of OAuth 2.1, meant for the program. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";

  constructor(
    readonly code:
      | "invalid_request"
      | "invalid_client"
      | "invalid_grant"
      | "invalid_target"
      | "unsupported_grant_type"
      | "invalid_redirect_uri"
      | "invalid_client_metadata",
    message: string,
  ) {
    super(message);
  }
}

/** The parameters of a request, each sent once. */
export type Parameters = Readonly<Record<string, string>>;

/** What a person decides on. */
export interface AccessRequest {
  clientName: string;
  /** Where the answer goes: a host, or the scheme of an app. */
  destination: string;
  scopes: Scope[];
  /** Takes the refusal back to the program. */
  refuseTo: string;
}

/** A request that can only be sent back, since the program made a mistake. */
export interface FaultyRequest {
  clientName: string;
  destination: string;
  fault: string;
  refuseTo: string;
}

export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
}

const codeMs = 120_000;
const accessMs = 3_600_000;
/** A key that no token was refreshed for in this time has expired. */
const keyMs = 30 * dayMs;
/** Programs of one person share their tokens, and can refresh at once: a refresh token works again for so long after its first use. */
const reuseMs = 60_000;

const redirectUrisMax = 10;
const nameCharsMax = 100;
const s256 = /^[\w-]{43}$/;
const verifierShape = /^[\w.~-]{43,128}$/;

// The authorization server for `/mcp`: programs register, a person agrees, and the program gets tokens that stand for a key. `issuer` is
// the server's address as the program sees it, without a trailing slash.

type OAuthDeps = Pick<Deps, "stores" | "access" | "clock">;

/** Registers a program (RFC 7591). Throws an {@link OAuthError}. */
export async function registerProgram(
  { stores, clock }: Pick<Deps, "stores" | "clock">,
  metadata: unknown,
): Promise<Record<string, unknown>> {
  const { client_name: name, redirect_uris: uris } = Object(metadata) as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectUrisMax || !uris.every((uri) => typeof uri === "string"))
    throw new OAuthError("invalid_redirect_uri", `redirect_uris: must have 1 to ${redirectUrisMax} addresses.`);
  const redirectUris: string[] = uris;
  for (const uri of redirectUris) {
    const objection = objectionToRedirectUri(uri);
    if (objection !== undefined) throw new OAuthError("invalid_redirect_uri", `redirect_uris: ${uri.slice(0, 100)} ${objection}.`);
  }
  if (name !== undefined && typeof name !== "string") throw new OAuthError("invalid_client_metadata", "client_name: must be a text.");
  const client = { clientId: `agent_${ulid()}`, name: readableName(name ?? ""), redirectUris, createdAt: clock() };
  await stores.oauth.addClient(client);
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt / 1000),
    client_name: client.name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: allScopes.join(" "),
  };
}

/** What a program asks a person for. Throws `bad_request` when the request may not even be sent back. */
export async function describeRequest(
  deps: Pick<Deps, "stores">,
  parameters: Parameters,
  issuer: string,
): Promise<AccessRequest | FaultyRequest> {
  const { client, redirectUri, scopes, answer, fault } = await readRequest(deps, parameters, issuer);
  const shown = { clientName: client.name, destination: destinationOf(redirectUri) };
  if (fault) return { ...shown, fault: fault.message, refuseTo: answer({ error: fault.code, error_description: fault.message }) };
  return { ...shown, scopes, refuseTo: answer({ error: "access_denied", error_description: "The person refused." }) };
}

/** Makes a key that the person has agreed to. Returns the address that takes a code for it to the program. Throws `bad_request`, `conflict` at 100 keys. */
export async function agreeToRequest(
  deps: OAuthDeps,
  parameters: Parameters,
  issuer: string,
  { userId, scopes, maxPrivacyLevel }: Pick<KeyInfo, "userId" | "scopes" | "maxPrivacyLevel">,
): Promise<string> {
  const { client, redirectUri, challenge, scopes: wanted, answer, fault } = await readRequest(deps, parameters, issuer);
  if (fault) throw badRequest(fault.message);
  if (!scopes.every((scope) => wanted.includes(scope))) throw badRequest("scopes: the program did not ask for all of these.");
  const { clientId, name } = client;
  // It ends with the code, unless the program fetches its tokens.
  const { record } = await deps.access.createKey({ userId, name, scopes, maxPrivacyLevel, expiresInMs: codeMs });
  const { keyId } = record;
  const expiresAt = deps.clock() + codeMs;
  const code = newToken("pac", { keyId, userId, clientId, kind: "code", redirectUri, challenge, expiresAt });
  await deps.stores.oauth.addTokens([code.record], expiresAt);
  return answer({ code: code.token });
}

/** Answers the token endpoint. Throws an {@link OAuthError}. */
export async function exchangeToken(deps: OAuthDeps, parameters: Parameters, issuer: string): Promise<TokenAnswer> {
  checkResource(parameters, issuer);
  if (!(await deps.stores.oauth.findClient(parameters["client_id"] ?? "")))
    throw new OAuthError("invalid_client", "client_id: is not registered here. Register first.");
  const { grant_type: type } = parameters;
  if (type === "authorization_code") return await redeemCode(deps, parameters);
  if (type === "refresh_token") return await refresh(deps, parameters);
  throw new OAuthError("unsupported_grant_type", "grant_type: must be authorization_code or refresh_token.");
}

/** Ends the access that a token belongs to (RFC 7009). Does nothing for an unknown token. */
export async function revokeToken(deps: OAuthDeps, { token: text = "", client_id: clientId = "" }: Parameters): Promise<void> {
  const token = (await findToken(deps, "pat", text)) ?? (await findToken(deps, "prt", text));
  if (token?.clientId === clientId) await deps.access.revokeKey(token.keyId);
}

/** Reads a request for access. Throws `bad_request` when it may not even be sent back. */
async function readRequest({ stores }: Pick<Deps, "stores">, parameters: Parameters, issuer: string) {
  const { client_id: clientId = "", redirect_uri: redirectUri = "", state, code_challenge: challenge = "" } = parameters;
  const client = await stores.oauth.findClient(clientId);
  if (!client) throw badRequest("This program is not registered here. Remove the server from the program, and add it again.");
  if (!isRegistered(redirectUri, client.redirectUris))
    throw badRequest("The program did not register the address that the answer would go to. Nothing was sent. Close this page.");
  const answer = (values: Record<string, string>): string => {
    const url = new URL(redirectUri);
    // RFC 9207: the program sees which server answers, so that another one cannot pass for it.
    for (const [name, value] of Object.entries({ ...values, ...(state !== undefined && { state }), iss: issuer }))
      url.searchParams.set(name, value);
    return url.href;
  };
  const fault = faultOf(parameters, challenge, issuer);
  return { client, redirectUri, challenge, scopes: wantedScopes(parameters["scope"]), answer, fault };
}

async function redeemCode(deps: OAuthDeps, parameters: Parameters): Promise<TokenAnswer> {
  const { code = "", client_id: clientId = "", code_verifier: verifier = "", redirect_uri: redirectUri } = parameters;
  const token = await findOwnToken(deps, "pac", code, clientId);
  if (redirectUri !== undefined && redirectUri !== token.redirectUri)
    throw new OAuthError("invalid_grant", "redirect_uri: is not the one that the code was sent to.");
  if (!verifierShape.test(verifier) || createHash("sha256").update(verifier).digest("base64url") !== token.challenge)
    throw new OAuthError("invalid_grant", "code_verifier: does not match the code_challenge.");
  return await useToken(deps, token);
}

async function refresh(deps: OAuthDeps, { refresh_token: text = "", client_id: clientId = "" }: Parameters): Promise<TokenAnswer> {
  return await useToken(deps, await findOwnToken(deps, "prt", text, clientId));
}

/** Finds the code or refresh token that a program sent. Does not use it up: whoever only has a stolen copy must not end the access. */
async function findOwnToken(deps: Pick<Deps, "stores">, kind: "pac" | "prt", text: string, clientId: string): Promise<OAuthToken> {
  const token = await findToken(deps, kind, text);
  if (!token) throw ended();
  if (token.clientId !== clientId) throw new OAuthError("invalid_grant", "It was given to another client.");
  return token;
}

/** Uses a code or a refresh token. A thief may have used it before: then the key ends, and all its tokens with it. */
async function useToken({ stores, access, clock }: OAuthDeps, used: OAuthToken): Promise<TokenAnswer> {
  const now = clock();
  if (used.usedAt === null && used.expiresAt <= now) throw ended();
  const { keyId, userId, clientId } = used;
  const of = { keyId, userId, clientId };
  const accessToken = newToken("pat", { ...of, kind: "access", expiresAt: now + accessMs });
  const refreshToken = newToken("prt", { ...of, kind: "refresh", expiresAt: now + keyMs });
  const principal = await access.findPrincipal(keyId);
  if (!principal) throw ended();
  const outcome = await stores.oauth.useToken(used, {
    at: now,
    reusableAfter: used.kind === "code" ? Infinity : now - reuseMs,
    tokens: [accessToken.record, refreshToken.record],
    keyExpiresAt: now + keyMs,
  });
  if (outcome === "used_before") {
    await access.revokeKey(keyId);
    throw new OAuthError("invalid_grant", "This token was used before, so the access has ended. Ask the person again.");
  }
  if (outcome === "ended") throw ended();
  return {
    access_token: accessToken.token,
    token_type: "Bearer",
    expires_in: accessMs / 1000,
    refresh_token: refreshToken.token,
    scope: [...principal.scopes].join(" "),
  };
}

async function findToken({ stores }: Pick<Deps, "stores">, kind: SecretKind, text: string): Promise<OAuthToken | null> {
  const secret = readSecret(text);
  const token = secret?.kind === kind ? await stores.oauth.findToken(secret.id) : null;
  return token && token.hash === hashSecret(text) ? token : null;
}

/** The one resource that tokens are for (RFC 8707). */
export const resourceOf = (issuer: string): string => `${issuer}/mcp`;

function checkResource({ resource }: Parameters, issuer: string): void {
  if (resource !== undefined && resource !== resourceOf(issuer))
    throw new OAuthError("invalid_target", `resource: must be ${resourceOf(issuer)}. Tokens of this server are for nothing else.`);
}

/** What is wrong with a request of a known program. */
function faultOf(parameters: Parameters, challenge: string, issuer: string): OAuthError | null {
  const { response_type: type, code_challenge_method: method } = parameters;
  try {
    if (type !== "code") throw new OAuthError("invalid_request", "response_type: must be code.");
    if (method !== "S256" || !s256.test(challenge))
      throw new OAuthError("invalid_request", "code_challenge: required, with code_challenge_method S256.");
    checkResource(parameters, issuer);
    return null;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

/** The scopes of a request. Those that this server does not have, such as offline_access, are left out; without any it is `read`. */
function wantedScopes(scope = ""): Scope[] {
  const wanted = scope.split(" ");
  const known = allScopes.filter((each) => wanted.includes(each));
  return known.length > 0 ? known : ["read"];
}

/** A name without characters that are invisible, or turn the text around. */
function readableName(name: string): string {
  return (
    name
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, nameCharsMax) || "Unnamed program"
  );
}

type NewToken = Omit<OAuthToken, "tokenId" | "hash" | "usedAt" | "redirectUri" | "challenge"> &
  Partial<Pick<OAuthToken, "redirectUri" | "challenge">>;

function newToken(prefix: SecretKind, { redirectUri = null, challenge = null, ...rest }: NewToken): { token: string; record: OAuthToken } {
  const tokenId = ulid();
  const token = newSecret(prefix, tokenId);
  return { token, record: { ...rest, tokenId, hash: hashSecret(token), redirectUri, challenge, usedAt: null } };
}

const ended = () => new OAuthError("invalid_grant", "It is wrong, expired or revoked. Ask the person again.");
