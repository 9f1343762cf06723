import { languageBit } from "./analysis/languages.js";
import type { DecodedVector, FoundTerm } from "./analysis/read-vector.js";
import { fieldCount, fieldOf, fields, type Place } from "./analysis/term-vector.js";
import type { QueryGroup, Sequence, Slot } from "./query-plan.js";

/** How often a group occurs in a context, and where. */
export interface Occurrences {
  /** By field. */
  counts: number[];
  /** Where it begins, ascending. */
  places: readonly Place[];
  /** Whether it is known to be there. In a long context, of which not all places are kept, words may as well stand apart. */
  isSure: boolean;
}

/** Occurrences of a group in a context; undefined when it does not occur. */
export function occurrencesOf(group: QueryGroup, vector: DecodedVector): Occurrences | undefined {
  const counts: number[] = Array<number>(fieldCount).fill(0);
  const all: Place[] = [];
  let isThere = false;
  let isSure = false;
  for (const sequence of group.sequences) {
    const found = sequence.length === 1 ? slotIn(sequence[0], vector) : sequenceIn(sequence, vector);
    if (!found) continue;
    isThere = true;
    isSure ||= found.isSure;
    all.push(...found.places);
    // What is not told by its place stands further on, and most of a context is its content.
    counts[2] = (counts[2] ?? 0) + found.count - found.places.length;
  }
  if (!isThere) return undefined;
  const places = group.sequences.length > 1 ? [...new Set(all)].sort((a, b) => a - b) : all;
  for (const place of places) counts[fieldOf(place)] = (counts[fieldOf(place)] ?? 0) + 1;
  return { counts, places, isSure };
}

/** Occurrences of a sequence. */
interface SequenceFound extends FoundTerm {
  isSure: boolean;
}

/** Occurrences of one of the words that a sequence has in a row. */
interface SlotFound extends SequenceFound {
  /** Past this place of the content it may stand anywhere, in a context of which not all places are kept; in every field, where it is before all. */
  last: Place;
}

/**
 * Occurrences of any of a slot's terms, of those alone that contexts of these languages have. Of a context too long to be known whole, the
 * index has said that it is there.
 */
function slotIn(slot: Slot | undefined, { found, isCut }: DecodedVector, languageBits = ~0): SlotFound | undefined {
  const hashes = (slot?.hashes ?? []).filter((_, index) => ((slot?.languageBits[index] ?? 0) & languageBits) !== 0);
  const terms = hashes.flatMap((hash) => found.get(hash) ?? []);
  const [first, ...others] = terms;
  if (!first) return isCut ? { count: 1, places: [], last: nowhere, isSure: false } : undefined;
  const last = isCut && terms.length < hashes.length ? nowhere : Math.min(...terms.map(lastOf));
  // Most are in order as they come; but places are stored field by field in the order of analysis.
  if (others.length === 0 && first.places.every((place, index, all) => index === 0 || place > (all[index - 1] ?? 0)))
    return { ...first, last, isSure: true };
  // A word and what it is written together with can have the same stem, and with that a place twice.
  const places = [...new Set(terms.flatMap(({ places: own }) => own))].sort((a, b) => a - b);
  return { count: terms.reduce((sum, { count, places: own }) => sum + count - own.length, places.length), places, last, isSure: true };
}

function sequenceIn(sequence: Sequence, vector: DecodedVector): SequenceFound | undefined {
  // Words in a row are of one language, as filters of pairs take them.
  const bit = languageBit(vector.language);
  const slots = sequence.map((slot) => ({ offset: slot.offset, found: slotIn(slot, vector, bit) }));
  if (slots.some(({ found }) => found === undefined)) return undefined;
  // The slot that occurs least leads; of the others only those count whose places are all known.
  const [lead, ...rest] = slots.toSorted((a, b) => (a.found?.count ?? 0) - (b.found?.count ?? 0));
  if (!lead?.found) return undefined;
  const known = rest.map(({ offset, found }) => ({ offset, places: new Set(found?.places), last: found?.last ?? nowhere }));
  const all = lead.found.places.map((place) => place - lead.offset);
  const told = all.filter((start) => known.every(({ offset, places }) => places.has(start + offset)));
  if (told.length > 0) return { count: told.length, places: told, isSure: true };
  const possible = all.filter((start) =>
    known.every(({ offset, places, last }) => places.has(start + offset) || mayStandAt(start + offset, last)),
  );
  if (possible.length > 0) return { count: possible.length, places: possible, isSure: false };
  return lead.found.last === everywhere ? undefined : { count: 1, places: [], isSure: false };
}

/** The `last` of what has all its places told, and of what may have none of them told. */
const everywhere = Number.POSITIVE_INFINITY;
const nowhere = -1;

/** The last place of a term that is told when there are more: these stand further on, and content comes last. */
function lastOf({ count, places }: FoundTerm): Place {
  if (count <= places.length) return everywhere;
  const last = places.at(-1) ?? nowhere;
  return fieldOf(last) === fields.content ? last : nowhere;
}

const mayStandAt = (place: Place, last: Place): boolean => place > last && (last === nowhere || fieldOf(place) === fields.content);
