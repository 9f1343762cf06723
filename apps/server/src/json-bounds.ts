import { limits } from "@periscope/schemas";
import { DomainError, payloadTooLarge } from "./domain-error.js";

/** Members of objects and elements of arrays in the whole body; each object and array counts once more. */
const valuesMax = 32_768;
/** Members of one object, or elements of one array: as many as the 16 KiB of a payload can hold. */
const containerValuesMax = limits.payloadBytesMax / 2;
/** Levels of nesting: the 32 of a payload's free-form part, inside a batch, and some to spare. */
const depthMax = 2 * limits.payloadDepthMax;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that would be slow to parse or to validate. Scans its UTF-8 bytes once, creates no values and does not check the syntax.
 * Throws `payload_too_large`, so that clients split the batch, or `bad_request` for deep nesting.
 */
export function checkJsonBounds(json: Uint8Array): void {
  const commas = new Uint32Array(depthMax + 1);
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      for (at++; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
    } else if (byte === openArray || byte === openObject) {
      if (++depth > depthMax) throw tooDeep;
      if (++values > valuesMax) throw tooMany(valuesMax, "the body");
      commas[depth] = 0;
    } else if (byte === closeArray || byte === closeObject) {
      depth--;
    } else if (byte === comma) {
      if (++values > valuesMax) throw tooMany(valuesMax, "the body");
      const count = (commas[depth] ?? 0) + 1;
      if (count >= containerValuesMax) throw tooMany(containerValuesMax, "one object or array");
      commas[depth] = count;
    }
  }
}

const tooMany = (max: number, where: string): DomainError =>
  payloadTooLarge(`More than ${max} members and elements in ${where}. Send less at a time.`, limits.bodyBytesMax, "json");

const tooDeep = new DomainError("bad_request", `body: is nested more than ${depthMax} levels deep. Send flatter JSON.`, { bound: "json" });
