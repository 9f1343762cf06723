/** Bytes that are written one after the other, in memory that is used again. */
export class Bytes {
  length = 0;
  #bytes: Uint8Array;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  varint(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  /** Puts a number in the place of three bytes that are there, the highest first. */
  uint24At(at: number, value: number): void {
    this.#bytes[at] = value >>> 16;
    this.#bytes[at + 1] = value >>> 8;
    this.#bytes[at + 2] = value;
  }

  append(other: Bytes): void {
    this.#reserve(other.length);
    for (let at = 0; at < other.length; at++) this.#bytes[this.length++] = other.#bytes[at] ?? 0;
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Bytes that are read one after the other. */
export class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  }
}
