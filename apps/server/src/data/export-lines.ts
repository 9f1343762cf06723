import {
  ExportedContext,
  ExportedExtension,
  ExportedRetention,
  ExportedRules,
  ExportEnd,
  ExportHeader,
  PrivacyLevel,
  Scope,
  Timestamp,
  UserId,
} from "@periscope/schemas";
import { z } from "zod";
import { describeContext } from "../contexts/context.service.js";
import type { StoredContext } from "../contexts/context.store.js";
import { toMillis, toTimestamp } from "../formats.js";
import type { StoredRules } from "../privacy/rules.store.js";
import type { CapturePlace, StoredExtension, StoredRetentionRules } from "./data.store.js";

// The lines of an export, and what is stored as such lines. The contract has those of one user; an installation has more kinds.

/** Milliseconds since the epoch, in the years 0000 to 9999. */
const Millis = z.int().min(-62_167_219_200_000).max(253_402_300_799_999);

/** A user of an installation, as stored; what follows is theirs, up to the next user. */
const ExportedUser = z.object({ kind: z.literal("user"), userId: UserId, createdAt: Millis });

/** An API key of the user, as stored: by its hash. */
const ExportedKey = z.object({
  kind: z.literal("key"),
  keyId: z.string().max(128),
  name: z.string().max(128),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(Scope).min(1).readonly(),
  maxPrivacyLevel: PrivacyLevel,
  createdAt: Millis,
  expiresAt: Millis.nullable(),
  lastUsedAt: Millis.nullable(),
  revokedAt: Millis.nullable(),
});

/** Written as RFC 3339. */
const Moment = z.pipe(Timestamp, z.coerce.date());
const optional = z.nullable(z.string());

/**
 * The account of the user in the portal: what signs them in, and what the programs hold that they let in. Sessions stay behind, and so do
 * tokens of an identity provider.
 */
const ExportedAccount = z.object({
  kind: z.literal("account"),
  person: z.object({
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: optional,
    isOwner: z.boolean(),
    disabledAt: z.nullable(Moment),
    lastSignInAt: z.nullable(Moment),
    createdAt: Moment,
    updatedAt: Moment,
  }),
  /** A password is a hash by scrypt. */
  signInMethods: z.array(
    z.object({ id: z.string(), providerId: z.string(), accountId: z.string(), password: optional, createdAt: Moment, updatedAt: Moment }),
  ),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: optional,
      publicKey: z.string(),
      credentialID: z.string(),
      counter: z.int(),
      deviceType: z.string(),
      backedUp: z.boolean(),
      transports: optional,
      aaguid: optional,
      createdAt: z.nullable(Moment),
    }),
  ),
  /** By their hashes. */
  agentTokens: z.array(
    z.object({
      tokenId: z.string(),
      kind: z.enum(["access", "refresh"]),
      hash: z.string(),
      keyId: z.string(),
      clientId: z.string(),
      expiresAt: Moment,
      usedAt: z.nullable(Moment),
    }),
  ),
});

/** A program that has registered to ask people for access. */
const ExportedProgram = z.object({
  kind: z.literal("program"),
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  createdAt: Moment,
});

/** An invite that makes an account, by its hash. */
const ExportedInvite = z.object({
  kind: z.literal("invite"),
  hash: z.string(),
  note: z.string(),
  createdAt: Moment,
  expiresAt: Moment,
});

/** When a context was deleted, as stored, so that no older message brings it back. */
const ExportedTombstone = z.object({ kind: z.literal("tombstone"), contextId: z.string().max(128), deletedAt: Millis });

export const lineSchemas = {
  header: ExportHeader,
  program: ExportedProgram,
  invite: ExportedInvite,
  user: ExportedUser,
  account: ExportedAccount,
  key: ExportedKey,
  tombstone: ExportedTombstone,
  context: ExportedContext,
  rules: ExportedRules,
  retention: ExportedRetention,
  extension: ExportedExtension,
  end: ExportEnd,
};

export type LineKind = keyof typeof lineSchemas;
export type Line<Kind extends LineKind = LineKind> = z.infer<(typeof lineSchemas)[Kind]>;

/** The cursor after a context, as `after` of an export takes it. */
export const toCursor = ({ timestamp, contextId }: Pick<ExportedContext, "timestamp" | "contextId">): string => `${timestamp},${contextId}`;

/** Where a cursor of {@link toCursor} goes on; undefined for any other text. */
export function parseCursor(cursor: string): CapturePlace | undefined {
  const comma = cursor.indexOf(",");
  const [time, contextId] = [Timestamp.safeParse(cursor.slice(0, comma)), cursor.slice(comma + 1)];
  return time.success ? { capturedAt: toMillis(time.data), contextId } : undefined;
}

export function contextLine(context: StoredContext): ExportedContext {
  const { userId: _userId, lastSeenAt: _lastSeenAt, ...described } = describeContext(context);
  return {
    kind: "context",
    ...described,
    content: context.content,
    writtenAt: toTimestamp(context.writtenAt),
    levelReasons: [...context.levelReasons],
    // Only a real heartbeat, which an import takes over.
    ...(context.lastSeenAt !== null && { lastSeenAt: toTimestamp(context.lastSeenAt) }),
  };
}

export function rulesLine({ rules, updatedAt }: StoredRules): ExportedRules {
  return { kind: "rules", rules, updatedAt: toTimestamp(updatedAt) };
}

export function retentionLine({ rules, updatedAt }: StoredRetentionRules): ExportedRetention {
  return { kind: "retention", rules, updatedAt: toTimestamp(updatedAt) };
}

export function extensionLine({ extensionId, lastSeenAt, config, configAt }: StoredExtension): ExportedExtension {
  return {
    kind: "extension",
    extensionId,
    lastSeenAt: toTimestamp(lastSeenAt),
    config: config === null ? undefined : (JSON.parse(config) as Record<string, unknown>),
    configAt: configAt === null ? undefined : toTimestamp(configAt),
  };
}
