/** Digits of a number in names, so that names are in the order of their numbers. */
const digits = 10;

/** Id of the context with this number; of lower numbers are lower. */
export function contextIdOf(number: number): string {
  return `c${String(number).padStart(digits, "0")}`;
}

/** Id of the message that creates the context with this number. */
export function messageIdOf(number: number): string {
  return `m${String(number).padStart(digits, "0")}`;
}

/** Capture time of the context with this number, milliseconds since the epoch: a second after the one before. */
export function capturedAtOf(number: number, epoch: number): number {
  return epoch + number * 1_000;
}

/** Browser of all messages. */
export const extensionId = "bench";
