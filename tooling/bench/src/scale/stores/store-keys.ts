import { hash, randomBytes } from "node:crypto";
import type { UserName } from "../plan.ts";

/** A key as the database holds it. */
export interface KeyRow {
  keyId: string;
  /** SHA-256 of the whole key, hex. */
  hash: string;
}

/** Writes a user, and a key of theirs with every scope. */
export type InsertKey = (user: UserName, row: KeyRow) => Promise<void>;

/**
 * Keys of a store's users, made when first asked for. They are written into the database by hand: the command that makes them takes a
 * second for each.
 */
export class StoreKeys {
  readonly #keys: Record<string, string>;
  readonly #insert: InsertKey;

  /** @param keys those that were made before; new ones are added to it */
  constructor(keys: Record<string, string>, insert: InsertKey) {
    this.#keys = keys;
    this.#insert = insert;
  }

  async of(user: UserName): Promise<string> {
    const known = this.#keys[user];
    if (known !== undefined) return known;
    const keyId = `01${randomBytes(12).toString("hex").toUpperCase()}`;
    const key = `psk_${keyId}_${randomBytes(32).toString("hex").slice(0, 43)}`;
    await this.#insert(user, { keyId, hash: hash("sha256", key, "hex") });
    this.#keys[user] = key;
    return key;
  }
}
