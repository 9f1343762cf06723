import { requestHead, type RequestParts } from "./request-bytes.ts";

/** Stand in a template where the number and the time of the message go; as wide as what replaces them. */
export const numberMark = "~".repeat(10);
export const timeMark = "~~~~-~~-~~T~~:~~:~~.~~~Z";

/** A message as JSON bytes, and where its marks are. */
export interface MessageTemplate {
  bytes: Buffer;
  numbers: readonly number[];
  times: readonly number[];
}

/** Prepares a message so that a copy under another id is one copy of bytes. */
export function messageTemplate(message: unknown): MessageTemplate {
  const bytes = Buffer.from(JSON.stringify(message));
  const times = placesOf(bytes, timeMark);
  return { bytes, numbers: placesOf(bytes, numberMark), times };
}

function placesOf(bytes: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) places.push(at);
  return places;
}

/** Where the messages of a stream start, and how many go into a request; with one there is no batch around it. */
export interface MessageStreamOptions extends Omit<RequestParts, "method"> {
  templates: readonly MessageTemplate[];
  perRequest: number;
  /** Number of the first message. */
  first: number;
  /** Capture time of message 0; each message is a second later. Milliseconds since the epoch. */
  epoch: number;
}

/** Requests that sync message after message, none twice. */
export class MessageStream {
  #number: number;
  readonly #options: MessageStreamOptions;

  constructor(options: MessageStreamOptions) {
    this.#options = options;
    this.#number = options.first;
  }

  /** Bytes of the next request. */
  next(): Buffer {
    const { perRequest } = this.#options;
    if (perRequest === 1) return this.#request([this.#message()]);
    const parts: Buffer[] = [Buffer.from(`{"id":"batch-${this.#number}","type":"batch","extensionId":"bench","messages":[`)];
    for (let count = 0; count < perRequest; count += 1) {
      if (count > 0) parts.push(comma);
      parts.push(this.#message());
    }
    parts.push(end);
    return this.#request(parts);
  }

  #request(parts: readonly Buffer[]): Buffer {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return Buffer.concat([requestHead({ ...this.#options, method: "POST" }, length), ...parts]);
  }

  #message(): Buffer {
    const { templates, epoch } = this.#options;
    const number = this.#number;
    this.#number += 1;
    const template = templates[number % templates.length];
    if (template === undefined) throw new Error("A stream needs at least one template.");
    const bytes = Buffer.from(template.bytes);
    const digits = String(number).padStart(numberMark.length, "0");
    const time = new Date(epoch + number * 1_000).toISOString();
    for (const at of template.numbers) bytes.write(digits, at, "latin1");
    for (const at of template.times) bytes.write(time, at, "latin1");
    return bytes;
  }
}

const comma = Buffer.from(",");
const end = Buffer.from("]}");
