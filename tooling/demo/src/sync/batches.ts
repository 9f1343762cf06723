import { limits } from "@periscope/schemas";

/** Left for the envelope around the messages. Bytes. */
const envelopeBytes = 1_024;

/**
 * Packs messages, each as its JSON, in order: at most 100 a batch, and no more bytes than one request may carry.
 * A message that is too large alone still gets a batch, and the server's answer says so.
 */
export function* batchesOf(
  messages: Iterable<string>,
  { countMax = limits.batchMessagesMax, bytesMax = limits.bodyBytesMax - envelopeBytes }: { countMax?: number; bytesMax?: number } = {},
): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message) + 1;
    if (batch.length > 0 && (batch.length === countMax || bytes + size > bytesMax)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
