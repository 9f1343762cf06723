import { hasCode } from "../faults.js";

/** Whether a transaction lost against another one, and may be run again. */
export const isConflict = (error: unknown): boolean => hasCode(error, /^(?:40001|40P01|P2034)$/);

/** Whether a row was there already. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, /^(?:23505|P2002)$/);

/** Whether the statement was cancelled, by its timeout or by an operator. */
export const isCancelled = (error: unknown): boolean => hasCode(error, /^57014$/);
