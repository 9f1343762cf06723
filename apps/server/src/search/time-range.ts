import { dayOf, isDayStart, termsOfDays } from "./index-terms.js";
import { anyOf } from "./query-plan.js";
import type { SearchSnapshot, TermMatch } from "./search-engine.js";
import type { FieldPart } from "./search-field.js";

/** Milliseconds since the epoch. */
interface TimeRange {
  /** Inclusive. */
  since?: number | undefined;
  /** Exclusive. */
  until?: number | undefined;
}

/** Terms past which an index takes longer to find what has one of them than to compare the times. */
const coverMax = 4;

/** What a time range leaves of a user's contexts, in parts that have none in common. */
export async function partsOfRange(snapshot: SearchSnapshot, range: TimeRange): Promise<FieldPart[]> {
  if (range.since === undefined && range.until === undefined) return [{ terms: [] }];
  const captured = await snapshot.captured();
  if (!captured) return [];
  // A range that is open at one end has one all the same: there is nothing beyond.
  const since = range.since !== undefined && range.since > captured.first ? range.since : undefined;
  const until = range.until !== undefined && range.until <= captured.last ? range.until : undefined;
  if (since === undefined && until === undefined) return [{ terms: [] }];
  if ((since ?? captured.first) >= (until ?? captured.last + 1)) return [];
  const filter = { since, until };
  const first = dayOf(since ?? captured.first);
  const last = dayOf((until ?? captured.last + 1) - 1);
  if (snapshot.readsTimes) {
    const days = termsOfDays(first, last);
    return [{ terms: days && days.length <= coverMax ? [anyOf(days)] : [], filter }];
  }
  // Days that the range takes a part of are compared, those that it takes whole need not be.
  const cut = [
    ...new Set([
      ...(since !== undefined && !isDayStart(since) ? [first] : []),
      ...(until !== undefined && !isDayStart(until) ? [last] : []),
    ]),
  ];
  const [wholeFirst, wholeLast] = [cut.includes(first) ? first + 1 : first, cut.includes(last) ? last - 1 : last];
  const whole = wholeFirst > wholeLast ? [] : termsOfDays(wholeFirst, wholeLast);
  if (!whole) return [{ terms: [], filter }];
  const dayTerms = cut.flatMap((day) => termsOfDays(day, day) ?? []);
  const part = (terms: readonly TermMatch[]): FieldPart[] => (terms.length > 0 ? [{ terms: [anyOf(terms)] }] : []);
  return [...part(whole), ...part(dayTerms).map((each) => ({ ...each, filter }))];
}
