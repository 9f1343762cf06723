import type { EraseReceipt } from "@periscope/schemas";
import type { AccessStore } from "../access/access.store.js";
import type { Clock } from "../deps.js";
import { DomainError, notFound } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import type { EraseStore } from "./data.store.js";
import type { OnProgress } from "./export.service.js";

/** Strings of the deleted text that are looked for. */
const stringsMax = 20;
const stringChars = 32;
const stringCharsMin = 12;

export interface EraseServiceOptions {
  erasing: EraseStore;
  access: Pick<AccessStore, "deleteUser">;
  clock: Clock;
}

/** Erases a user with everything that is theirs, and proves it. */
export type EraseService = ReturnType<typeof createEraseService>;

export function createEraseService({ erasing, access, clock }: EraseServiceOptions) {
  const inProgress = new Map<string, { receipt: Promise<EraseReceipt>; listeners: Set<OnProgress> }>();

  async function eraseUser(userId: string, onProgress: OnProgress): Promise<EraseReceipt> {
    const counts = await erasing.countRows(userId);
    const texts = (await erasing.sampleTexts(userId, stringsMax)).map(stringOf).filter((text) => text.length >= stringCharsMin);
    const total = counts["contexts"] ?? 0;
    const onDeleted = (contexts: number) => onProgress(Math.min(contexts, total), total);
    if (!(await access.deleteUser(userId, { keysLast: true, onDeleted }))) throw notFound(`There is no user ${userId}.`);
    const { found, ...searched } = await erasing.verifyErased(userId, [...new Set(texts)]);
    if (found > 0)
      throw new DomainError(
        "internal_error",
        `Everything of the user is deleted, but ${found} strings of it are still found in the files.`,
      );
    return { erasedAt: toTimestamp(clock()), counts, verified: { ...searched, found: 0 } };
  }

  return {
    /**
     * Deletes contexts, index, records, rules and settings, and the keys last, so that the request can be repeated after an interruption.
     * Then cleans what the database leaves behind and looks for the user's id and for strings of the deleted text.
     * Throws `not_found`, and `internal_error` should any of them be found.
     * @param onProgress called after each slice; throwing ends the erasure between two slices
     */
    async erase(userId: string, onProgress?: OnProgress): Promise<EraseReceipt> {
      // Whoever lost the connection asks again while this goes on, and gets the progress and the receipt of the first request.
      let running = inProgress.get(userId);
      if (!running) {
        const listeners = new Set<OnProgress>();
        const receipt = eraseUser(userId, (done, total) => listeners.forEach((listener) => listener(done, total))).finally(() =>
          inProgress.delete(userId),
        );
        inProgress.set(userId, (running = { receipt, listeners }));
      }
      if (onProgress) running.listeners.add(onProgress);
      return await running.receipt;
    },
  };
}

/** A random stretch of a text, whole code points only. */
function stringOf(text: string): string {
  const at = Math.floor(Math.random() * Math.max(1, text.length - stringChars));
  return text
    .slice(at, at + stringChars)
    .replace(/^[\uDC00-\uDFFF]/, "")
    .replace(/[\uD800-\uDBFF]$/, "");
}
