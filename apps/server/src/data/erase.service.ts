import { setTimeout as wait } from "node:timers/promises";
import type { EraseReceipt } from "@periscope/schemas";
import type { AccessStore } from "../access/access.store.js";
import type { Clock } from "../deps.js";
import { DomainError, notFound, unavailable } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import type { DataStore, VerifyErased } from "./data.store.js";
import type { OnProgress } from "./export.service.js";

/** Strings of the deleted text that are looked for. */
const stringsMax = 20;
const stringChars = 32;
const stringCharsMin = 12;

export interface EraseServiceOptions {
  data: Pick<DataStore, "countRows" | "sampleTexts">;
  verifyErased: VerifyErased;
  access: Pick<AccessStore, "hasUser" | "deleteUser">;
  clock: Clock;
  /** Called when an erasure failed or was stopped, so that something may be left. Whoever asked for it may be gone. */
  onFailure?: (userId: string, error: unknown) => void;
}

/** An erasure that goes on, whoever listens. */
interface Erasure {
  receipt: Promise<EraseReceipt>;
  listeners: Set<OnProgress>;
}

/** Erases a user with everything that is theirs, and proves it. */
export function createEraseService({ data, verifyErased, access, clock, onFailure = () => {} }: EraseServiceOptions) {
  const inProgress = new Map<string, Erasure>();
  let isStopping = false;

  async function eraseUser(userId: string, onProgress: OnProgress): Promise<EraseReceipt> {
    if (!(await access.hasUser(userId))) throw notFound(`There is no user ${userId}.`);
    const counts = await data.countRows(userId);
    const texts = (await data.sampleTexts(userId, stringsMax)).map(stringOf).filter((text) => text.length >= stringCharsMin);
    const total = counts["contexts"] ?? 0;
    const onDeleted = (contexts: number) => {
      if (isStopping) throw unavailable("The server is stopping before everything is erased. Send the request again to continue.", 5);
      onProgress(Math.min(contexts, total), total);
    };
    // Another process of which the same is asked may be done first. Then this one has counted what was left for it.
    await access.deleteUser(userId, { onDeleted });
    const { found, ...searched } = await verifyErased(userId, [...new Set(texts)]);
    if (found > 0)
      throw new DomainError(
        "internal_error",
        `Everything of the user is deleted, but ${found} strings of it are still found in the files.`,
      );
    return { erasedAt: toTimestamp(clock()), counts, verified: { ...searched, found: 0 } };
  }

  function start(userId: string): Erasure {
    const listeners = new Set<OnProgress>();
    const report: OnProgress = (done, total) => listeners.forEach((listener) => listener(done, total));
    const receipt = eraseUser(userId, report)
      .catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === "not_found")) onFailure(userId, error);
        throw error;
      })
      // Last, so that a server that waits for it does not end before the failure is logged.
      .finally(() => inProgress.delete(userId));
    const erasure = { receipt, listeners };
    inProgress.set(userId, erasure);
    return erasure;
  }

  /** Resolves when nothing is being erased. */
  async function idle(): Promise<void> {
    while (inProgress.size > 0) await Promise.allSettled([...inProgress.values()].map(({ receipt }) => receipt));
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
      const { listeners, receipt } = inProgress.get(userId) ?? start(userId);
      if (onProgress) listeners.add(onProgress);
      return await receipt;
    },

    /** Whether this process is erasing the user. */
    isErasing: (userId: string): boolean => inProgress.has(userId),

    idle,

    /** Lets what is being erased finish, also where the reader has left. What has not finished after `timeoutMs` ends with its slice. */
    async drain(timeoutMs: number): Promise<void> {
      await Promise.race([idle(), wait(timeoutMs, undefined, { ref: false })]);
      isStopping = true;
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
