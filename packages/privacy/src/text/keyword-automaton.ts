/**
 * Aho-Corasick over folded ASCII: finds every keyword of every detector in one pass, in time linear in
 * the text whatever the text is (Aho and Corasick, "Efficient string matching", CACM 1975).
 * One table look-up per character is faster than one regex per detector, and cannot backtrack.
 */
export interface KeywordAutomaton {
  /** Maps a UTF-16 unit to its column; 0 is "in no keyword". Letters are folded to lower case. */
  readonly columns: Uint8Array;
  /** `next[(state << columnBits) | column]` is the following state. */
  readonly next: Uint16Array;
  /** The first state in which keywords end; in those below none ends, so that the inner loop compares and looks nothing up. */
  readonly firstOutput: number;
  /** Indexes of the keywords that end in each state from `firstOutput` on. */
  readonly outputs: ReadonlyArray<readonly number[]>;
  /** The keywords, lower-cased, by index. */
  readonly keywords: readonly string[];
  /** Keywords with characters that share a column: the text must be compared. */
  readonly isShared: readonly boolean[];
  /** Their lengths. */
  readonly lengths: Uint16Array;
  /** Which group a keyword came from. */
  readonly groups: Uint16Array;
  /** Its index in that group. */
  readonly indexes: Uint16Array;
  /** How many groups there are. */
  readonly groupCount: number;
}

/** Width of a row of the transition table, as a power of two. */
export const columnBits = 6;
/** Columns that are left to one character each; the others are shared. */
const ownColumnsMax = 58;

/**
 * Builds the automaton for groups of keywords; the same keyword may be in several groups.
 * Throws `RangeError` when the keywords need more than 65,535 states.
 */
export function buildAutomaton(groupedKeywords: ReadonlyArray<readonly string[]>): KeywordAutomaton {
  const groups = Uint16Array.from(groupedKeywords.flatMap((list, group) => list.map(() => group)));
  const indexes = Uint16Array.from(groupedKeywords.flatMap((list) => [...list.keys()]));
  const folded = groupedKeywords.flat().map((keyword) => keyword.toLowerCase());
  const { columns, ownCount } = columnsFor(folded);
  const statesMax = folded.reduce((sum, keyword) => sum + keyword.length, 1);
  if (statesMax > 65_535) throw new RangeError("too many keywords for a 16-bit automaton");
  const next = new Uint16Array(statesMax << columnBits);
  const outputs: Array<number[] | undefined> = [undefined];
  let states = 1;
  folded.forEach((keyword, index) => {
    let state = 0;
    for (let i = 0; i < keyword.length; i++) {
      const slot = (state << columnBits) | (columns[keyword.charCodeAt(i)] ?? 0);
      if (next[slot] === 0) {
        outputs.push(undefined);
        next[slot] = states++;
      }
      state = next[slot] ?? 0;
    }
    (outputs[state] ??= []).push(index);
  });
  const order = linkFailures(next, outputs);
  const numbered = renumber(next, [...order.filter((state) => !outputs[state]), ...order.filter((state) => outputs[state])]);
  const isShared = folded.map((keyword) => keyword.split("").some((unit) => (columns[unit.charCodeAt(0)] ?? 0) > ownCount));
  return {
    columns,
    next: numbered,
    firstOutput: order.filter((state) => !outputs[state]).length,
    outputs: order.flatMap((state) => (outputs[state] ? [outputs[state]] : [])),
    isShared,
    keywords: folded,
    lengths: Uint16Array.from(folded, (keyword) => keyword.length),
    groups,
    indexes,
    groupCount: groupedKeywords.length,
  };
}

/** ASCII that keywords use has columns of its own; other characters share the rest, so a hit with one of them is compared in full. */
function columnsFor(keywords: readonly string[]): { columns: Uint8Array; ownCount: number } {
  const columns = new Uint8Array(65536);
  // By units, not by characters: the second half of an emoji needs a column as well.
  const units = [...new Set(keywords.join("").split(""))];
  const own = units.filter((unit) => unit <= "~").slice(0, ownColumnsMax);
  own.forEach((unit, index) => {
    columns[unit.charCodeAt(0)] = index + 1;
    columns[unit.toUpperCase().charCodeAt(0)] = index + 1;
  });
  const sharedCount = (1 << columnBits) - 1 - own.length;
  for (const unit of units) {
    for (const variant of [unit, unit.toUpperCase()]) {
      const code = variant.charCodeAt(0);
      if (columns[code] === 0) columns[code] = own.length + 1 + (unit.charCodeAt(0) % sharedCount);
    }
  }
  return { columns, ownCount: own.length };
}

/** The transitions with the states numbered by their places in `order`, whose first is the state to begin in. */
function renumber(next: Uint16Array, order: readonly number[]): Uint16Array {
  const width = 1 << columnBits;
  const numbers = new Uint16Array(order.length);
  order.forEach((state, number) => (numbers[state] = number));
  const numbered = new Uint16Array(order.length << columnBits);
  order.forEach((state, number) => {
    for (let column = 0; column < width; column++)
      numbered[(number << columnBits) | column] = numbers[next[(state << columnBits) | column] ?? 0] ?? 0;
  });
  return numbered;
}

/** Breadth first, so that the failure target of a state is complete before the state itself. Gives the states in that order, the root first. */
function linkFailures(next: Uint16Array, outputs: Array<number[] | undefined>): number[] {
  const width = 1 << columnBits;
  const failure = new Uint16Array(outputs.length);
  const queue: number[] = [];
  for (let column = 1; column < width; column++) {
    const state = next[column] ?? 0;
    if (state !== 0) queue.push(state);
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0;
    const fallback = failure[state] ?? 0;
    const inherited = outputs[fallback];
    if (inherited !== undefined) outputs[state] = [...(outputs[state] ?? []), ...inherited];
    for (let column = 1; column < width; column++) {
      const slot = (state << columnBits) | column;
      const target = next[slot] ?? 0;
      const viaFailure = next[(fallback << columnBits) | column] ?? 0;
      if (target === 0) {
        next[slot] = viaFailure;
      } else {
        failure[target] = viaFailure;
        queue.push(target);
      }
    }
  }
  return [0, ...queue];
}
