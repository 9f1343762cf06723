/** Bounds of the contract, given to searches so that a search thread need not load the contract. */
export interface SearchBounds {
  /** Matches past which the total is not counted on. */
  totalMax: number;
  /** Code points of a snippet. */
  snippetCharsMax: number;
}

/** Contexts that are ranked when more match: the newest, and the newest that have the words in their titles. */
export const newestRankedMax = 750;
export const titlesRankedMax = 250;
export const rankedMax = newestRankedMax + titlesRankedMax;

/** Contexts with all words of a phrase that are looked at for the phrase when there are no more. Each costs 12 to 20 µs, by the engine. */
export const phraseMax = 10_000;

/**
 * When there are more, so many of the newest of them are looked at that may have it, by their pairs of words, of the newest
 * {@link phraseMax}, or of as many of each part where there are two: to ask one costs 1 to 2 µs.
 */
export const phraseLookedMax = 2_500;

/**
 * Texts that are read to tell whether a phrase is in a long context, whose places the index has not all: of the best, those that come to
 * so many UTF-16 units together, each counted for each of the phrases. A million take some 50 ms.
 */
export const textsReadMax = 50;
export const textUnitsReadMax = 1_000_000;

/** Contexts with some of the words that are ranked. */
export const partialRankedMax = 1_500;

/** Groups of a query; further ones are left out of what is wanted. */
export const groupsMax = 32;

/** From so many groups on, contexts with some of them are ranked beside those with all... */
export const someGroupsMin = 3;
/** ...unless so many have all of them. */
export const enoughFullMin = 100;

/** Contexts that a URL pattern too short for the index is compared with: the newest. */
export const shortPatternScanMax = 10_000;

/** Results past which there are no pages. */
export const offsetMax = 100_000;
