import { type Place, placesMax } from "./term-vector.js";

/** Different terms that a table takes. */
const termsMax = 30_000;

/** Room in the table of slots, a power of 2: for a usual page, so that it is near at hand; more for a text that fills half of it. */
const slotsMin = 1 << 12;

/**
 * Terms of a text with their counts and places, in the order in which they came. One table serves text after text, so that a
 * text leaves next to nothing behind to be collected.
 */
export class TermTable {
  /** Different terms. */
  size = 0;
  /** Of each term by its index. */
  readonly hashes = new Int32Array(termsMax);
  readonly counts = new Int32Array(termsMax);
  readonly names: string[] = [];
  /** One more than the index of the term, by a part of its hash; 0 for none. */
  #slots = new Int32Array(slotsMin);
  readonly #firstSlots = this.#slots;
  /** Where each term's list of places begins and ends among all places, and how many it has. */
  readonly #first = new Int32Array(termsMax);
  readonly #last = new Int32Array(termsMax);
  readonly #kept = new Uint8Array(termsMax);
  #places = new Int32Array(1 << 14);
  #next = new Int32Array(1 << 14);
  #placeCount = 0;

  /** Forgets everything. */
  clear(): void {
    this.#slots = this.#firstSlots.fill(0);
    this.size = 0;
    this.names.length = 0;
    this.#placeCount = 0;
  }

  /** The index of a term; -1 for a new one past the bound, and for one without a name: these are left out. */
  indexOf(hash: number, name: string): number {
    if (name === "") return -1;
    const slot = this.#slotOf(hash);
    let index = (this.#slots[slot] ?? 0) - 1;
    if (index < 0) {
      if (this.size === termsMax) return -1;
      index = this.size++;
      this.#slots[slot] = index + 1;
      this.hashes[index] = hash;
      this.names.push(name);
      this.counts[index] = 0;
      this.#kept[index] = 0;
      if (2 * this.size > this.#slots.length) this.#spread();
    }
    return index;
  }

  /** Counts an occurrence of the term of this index. */
  add(index: number, place: Place): void {
    if (index < 0) return;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    const kept = this.#kept[index] ?? 0;
    if (kept === placesMax) return;
    if (this.#placeCount === this.#places.length) this.#grow();
    const at = this.#placeCount++;
    this.#places[at] = place;
    if (kept === 0) this.#first[index] = at;
    else this.#next[this.#last[index] ?? 0] = at;
    this.#last[index] = at;
    this.#kept[index] = kept + 1;
  }

  /** Puts the places of a term into `into` as they came, and says how many. */
  placesOf(index: number, into: Int32Array): number {
    const count = this.#kept[index] ?? 0;
    for (let number = 0, at = this.#first[index] ?? 0; number < count; number++, at = this.#next[at] ?? 0)
      into[number] = this.#places[at] ?? 0;
    return count;
  }

  /** The slot of the term of this hash, or the free one where it would go. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot] ?? 0;
      if (held === 0 || this.hashes[held - 1] === hash) return slot;
    }
  }

  /** Puts all terms into more slots. */
  #spread(): void {
    this.#slots = new Int32Array(4 * this.#slots.length);
    for (let index = 0; index < this.size; index++) this.#slots[this.#slotOf(this.hashes[index] ?? 0)] = index + 1;
  }

  #grow(): void {
    const places = new Int32Array(2 * this.#places.length);
    const next = new Int32Array(2 * this.#next.length);
    places.set(this.#places);
    next.set(this.#next);
    this.#places = places;
    this.#next = next;
  }
}
