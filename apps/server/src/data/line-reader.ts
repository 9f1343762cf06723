import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { limits } from "@periscope/schemas";
import { badRequest, payloadTooLarge } from "../domain-error.js";
import { parseJson } from "../formats.js";
import { type Line, lineSchemas, toCursor } from "./export-lines.js";

export interface NumberedLine {
  /** From 1 on. */
  number: number;
  /** JSON in UTF-8. */
  bytes: Buffer;
}

const newline = 0x0a;
const gzipMark = [0x1f, 0x8b] as const;

/** Text packs to a tenth or less; what packs better than this is made to fill a memory or to keep a processor busy. */
const ratioMax = 200;
const uncheckedBytes = 67_108_864;

/** Bytes as they were written, whether or not they are packed by gzip. Throws `bad_request` for damaged gzip, `payload_too_large` for a bomb. */
async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  let packed = 0;
  const all = (async function* () {
    for (let next = first; !next.done; next = await chunks.next()) {
      packed += next.value.length;
      yield next.value;
    }
  })();
  const isGzip = !first.done && gzipMark.every((byte, index) => first.value[index] === byte);
  const decoder = createGunzip();
  let bytes = 0;
  try {
    if (!isGzip) return yield* all;
    // Ends the decoder when the source fails, and the source when nobody reads on.
    pipeline(Readable.from(all, { objectMode: false }), decoder, () => {});
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > uncheckedBytes && bytes > ratioMax * packed)
        throw payloadTooLarge(`The body unpacks to more than ${ratioMax} times its size. Send it without gzip.`, limits.importBytesMax);
      yield chunk;
    }
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw badRequest(damagedGzip);
    throw error;
  } finally {
    decoder.destroy();
    await chunks.return?.();
  }
}

const damagedGzip =
  "The file is damaged or cut off: it cannot be unpacked. Export again, or import what is left (allowPartial=true, or --allow-partial of the command).";

/**
 * Lines of UTF-8, unpacked from gzip where need be. A last line without a line break is left out: it was cut off. Memory holds one line.
 * Throws `payload_too_large` for a line past the limit, and `bad_request` for damaged gzip.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let number = 0;
  for await (const chunk of unpacked(source)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const last = chunk.subarray(start, end);
      checkLength(restBytes + last.length, ++number);
      const bytes = Buffer.concat([...rest, last]);
      [rest, restBytes, start] = [[], 0, end + 1];
      yield { number, bytes };
    }
    if (start === chunk.length) continue;
    restBytes += chunk.length - start;
    checkLength(restBytes, number + 1);
    // A copy, since a small rest would keep its whole chunk.
    rest.push(Uint8Array.from(chunk.subarray(start)));
  }
}

function checkLength(bytes: number, number: number): void {
  if (bytes > limits.importLineBytesMax)
    throw payloadTooLarge(`Line ${number} is longer than ${limits.importLineBytesMax} bytes. Export again.`, limits.importLineBytesMax);
}

/** The kind of a line; undefined for what is none. Lines of this service say it first. */
export function kindOf({ bytes }: NumberedLine): string | undefined {
  const [, kind] = /^\{"kind":"(\w+)"/.exec(bytes.toString("latin1", 0, kindCharsMax)) ?? [];
  if (kind !== undefined) return kind;
  const { kind: said } = Object(parseJson(bytes.toString())) as { kind?: unknown };
  return typeof said === "string" ? said : undefined;
}

const kindCharsMax = 40;

const advice = "Export again, or import what is left (allowPartial=true, or --allow-partial of the command).";

/** The first line of an export. Throws `bad_request` for anything else. */
export function readHeader({ number, bytes }: NumberedLine): Line<"header"> {
  const { data: header } = lineSchemas.header.safeParse(parseJson(bytes.toString()));
  if (!header) throw badRequest(`Line ${number}: this is not an export of Periscope. Its first line must be the header, version 1.`);
  return header;
}

/**
 * Reads an export to its end. Throws `bad_request` unless it is whole and unchanged: the last part has the counts and the hash that its last
 * line says, and a part that was cut off is continued by one that names its last context, and the hash of everything before. Answers the header.
 */
export async function verifyExport(lines: AsyncIterable<NumberedLine>): Promise<Line<"header">> {
  let first: Line<"header"> | undefined;
  let isEnded = false;
  const whole = createHash("sha256");
  let hash = createHash("sha256");
  let counts: Record<string, number> = {};
  let lastContext: Buffer | undefined;
  let last = 0;
  for await (const line of lines) {
    const { number, bytes } = line;
    last = number;
    if (isEnded) throw badRequest(`Line ${number}: stands after the end of the export. ${advice}`);
    const kind = number === 1 ? "header" : kindOf(line);
    if (kind === "end") {
      const { data: end } = lineSchemas.end.safeParse(parseJson(bytes.toString()));
      if (end?.sha256 !== hash.digest("hex") || !isSameCounts(end.lines, counts))
        throw badRequest(`The export was changed after it was made: its hash or its counts differ from its last line. ${advice}`);
      isEnded = true;
      continue;
    }
    if (kind === "header") {
      const header = readHeader(line);
      if (!first && header.after !== undefined)
        throw badRequest(
          "The first part of this export is missing. Put it in front, or import what is there (allowPartial=true, or --allow-partial of the command).",
        );
      const continues = header.after === placeIn(lastContext) && header.continues === whole.copy().digest("hex");
      if (first && !continues)
        throw badRequest(`Line ${number}: this part does not continue the one before it, or that was changed. ${advice}`);
      first ??= header;
      hash = createHash("sha256");
      counts = {};
    } else if (kind === undefined) throw badRequest(`Line ${number}: this is no line of an export. ${advice}`);
    else counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === "context") lastContext = bytes;
    for (const each of [whole, hash]) each.update(bytes).update("\n");
  }
  if (!first) throw badRequest("This is not an export of Periscope: it has no whole line. Choose the file of an export.");
  if (!isEnded) throw badRequest(`The export is cut off after line ${last}: its last line is missing. ${advice}`);
  return first;
}

function placeIn(context: Buffer | undefined): string | undefined {
  const line = context && (parseJson(context.toString()) as Line<"context"> | undefined);
  return line && toCursor(line);
}

function isSameCounts(said: Readonly<Record<string, number>>, counted: Readonly<Record<string, number>>): boolean {
  const kinds = new Set([...Object.keys(said), ...Object.keys(counted)]);
  return [...kinds].every((kind) => said[kind] === counted[kind]);
}
