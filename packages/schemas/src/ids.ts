import * as z from "zod/mini";
import { limits } from "./limits.js";

const handle = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Context ids that the routes need for themselves, and the two that URL normalisation would eat. */
export const reservedContextIds: readonly string[] = ["current", "history", "search", "sync", "batch-sync", "delete", ".", ".."];

const reserved = new Set(reservedContextIds);

/** Identifier of a context, unique per user: the sender's own, or `ctx_` and a ULID made by the server. */
export const ContextId = z.string().check(z.regex(handle, "must be 1 to 128 characters of A-Z a-z 0-9 _ . : -"));
export type ContextId = z.infer<typeof ContextId>;

/** The id of a context in what is sent: not a reserved one. Answers may hold an id that was reserved after its context was stored. */
export const SentContextId = ContextId.check(z.refine((id) => !reserved.has(id), "is a reserved name; choose another id"));
export type SentContextId = z.infer<typeof SentContextId>;

/** Identifier of a user: `usr_` and a ULID, or chosen by the operator. */
export const UserId = z.string().check(z.regex(handle, "must be 1 to 128 characters of A-Z a-z 0-9 _ . : -"));
export type UserId = z.infer<typeof UserId>;

// NUL and lone surrogates cannot be stored as text, so two such ids could become one.
const storable = (text: string) => text.isWellFormed() && !text.includes("\0");

const opaqueId = () =>
  z
    .string()
    .check(
      z.minLength(1, "must have 1 to 128 characters"),
      z.maxLength(limits.idCharsMax, "must have 1 to 128 characters"),
      z.refine(storable, "must be well-formed text without NUL"),
    );

/** Identifier of a message, unique per user and extension instance: the key of idempotency. */
export const MessageId = opaqueId();
export type MessageId = z.infer<typeof MessageId>;

/** Identifier of one installation of a browser extension. */
export const ExtensionId = opaqueId();
export type ExtensionId = z.infer<typeof ExtensionId>;

/** Identifier of a browser tab, as the extension names it. */
export const TabId = opaqueId();
export type TabId = z.infer<typeof TabId>;
