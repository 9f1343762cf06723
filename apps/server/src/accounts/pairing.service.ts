import { createHash, createHmac, randomBytes } from "node:crypto";
import { Scope } from "@periscope/schemas";
import { ulid } from "ulid";
import { z } from "zod";
import type { KeyInfo } from "../access/access.service.js";
import { sameHash } from "../access/authenticator.js";
import type { Deps } from "../deps.js";
import { forbidden } from "../domain-error.js";

const codeLifeMs = 120_000;

/** What an extension asks for, and the person has agreed to. */
export const PairingRequest = z.object({
  /** SHA-256 of the extension's verifier, base64url: only who has the verifier can exchange the code (PKCE, RFC 7636). */
  challenge: z.string().regex(/^[\w-]{43}$/, "must be a SHA-256 in base64url"),
  /** Of the extension. It must exchange the code itself. */
  origin: z.string().regex(/^(?:chrome|moz|safari-web)-extension:\/\/[\w.-]{1,128}$/, "must be the origin of a browser extension"),
  name: z.string().trim().min(1).max(128),
  scopes: z.array(Scope).min(1).max(3),
});
export type PairingRequest = z.infer<typeof PairingRequest>;

const Code = z.object({ ...PairingRequest.shape, keyId: z.string(), userId: z.string(), expiresAt: z.number() });

/**
 * The person agrees: answers the code that the extension exchanges for a key of its own, within 2 minutes and once. The code is signed and
 * holds all that is needed, with the id of the key that it makes: where there is a key with this id already, it was used. So nothing has to
 * be stored or cleared.
 */
export async function approvePairing(
  deps: Pick<Deps, "stores" | "clock" | "sessionSecret">,
  userId: string,
  request: PairingRequest,
): Promise<{ code: string }> {
  const code: z.infer<typeof Code> = { ...request, keyId: ulid(), userId, expiresAt: deps.clock() + codeLifeMs };
  const content = Buffer.from(JSON.stringify(code)).toString("base64url");
  return { code: `${content}.${await sign(deps, content)}` };
}

/** The key for a code. Throws `forbidden`, the same for every wrong code, so that nobody learns from it; `conflict` at 100 keys. */
export async function exchangeCode(
  deps: Pick<Deps, "stores" | "access" | "clock" | "sessionSecret">,
  { code, verifier, origin }: { code: string; verifier: string; origin: string | undefined },
): Promise<{ key: string; record: KeyInfo }> {
  const { accounts } = deps.stores;
  const [content = "", signature = ""] = code.split(".");
  if (!sameHash(signature, await sign(deps, content))) throw refused();
  const {
    keyId,
    userId,
    challenge,
    expiresAt,
    name,
    scopes,
    origin: approved,
  } = Code.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
  const isRight = sameHash(createHash("sha256").update(verifier).digest("base64url"), challenge) && origin === approved;
  if (!isRight || deps.clock() >= expiresAt) throw refused();
  const made = (await accounts.isEnabled(userId)) ? await deps.access.createKeyOnce({ userId, name, scopes }, keyId) : null;
  if (!made) throw refused();
  return made;
}

/** With SESSION_SECRET set, a copy of the database is not enough to make a code. */
async function sign({ stores, clock, sessionSecret }: Pick<Deps, "stores" | "clock" | "sessionSecret">, content: string): Promise<string> {
  const secret =
    sessionSecret === undefined
      ? await stores.accounts.secret("pairing", randomBytes(32).toString("base64url"), clock())
      : createHmac("sha256", sessionSecret).update("pairing").digest();
  return createHmac("sha256", secret).update(content).digest("base64url");
}

const refused = () => forbidden("This code is wrong, was used, or has expired. Press Connect in the extension to get a new one.");
