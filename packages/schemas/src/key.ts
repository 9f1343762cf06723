import * as z from "zod/mini";
import { UserId } from "./ids.js";
import { PrivacyLevel } from "./privacy-level.js";
import { Timestamp } from "./timestamp.js";

/** What a key may do: `read` for every GET, `write` to sync, `delete` to remove. */
export const Scope = z.enum(["read", "write", "delete"]);
export type Scope = z.infer<typeof Scope>;

const count = z.int().check(z.minimum(0));

/** Where a user stands in one rate budget. */
export const RateLimit = z.object({
  /** Requests a minute. */
  limit: count,
  /** Requests left in this minute. */
  remaining: count,
  /** When the minute ends, in whole Unix seconds. */
  reset: count,
});
export type RateLimit = z.infer<typeof RateLimit>;

/** Every rate budget of a user, by its name. */
export const RateLimits = z.object({
  sync: RateLimit,
  "batch-sync": RateLimit,
  read: RateLimit,
  search: RateLimit,
  delete: RateLimit,
});
export type RateLimits = z.infer<typeof RateLimits>;

/** Which server answered. */
export const ServerInfo = z.object({
  version: z.string(),
  /** Whether the server offers the live channel. */
  live: z.boolean(),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

/** The answer of `GET /key`: whose key was sent, and what it may do. */
export const KeyInfo = z.object({
  userId: UserId,
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  maxPrivacyLevel: PrivacyLevel,
  createdAt: Timestamp,
  /** null when the key never expires. */
  expiresAt: z.nullable(Timestamp),
  limits: RateLimits,
  server: ServerInfo,
});
export type KeyInfo = z.infer<typeof KeyInfo>;

/** `GET /key` takes no parameters. */
export const KeyQuery = z.object({});
export type KeyQuery = z.infer<typeof KeyQuery>;
