/** How much of one kind of labelled value was removed. Counts, so that one value more or less is seen. */
export interface KindFigures {
  /** Labelled values. */
  values: number;
  /** Values that the filtered text no longer holds. */
  gone: number;
  /** Values of which at least 90 % of the letters and digits were removed. */
  full: number;
  /** Mean share of the letters and digits that was removed, in percent. */
  share: number;
}

/** What was changed in texts in which there is nothing to remove. */
export interface CleanFigures {
  texts: number;
  /** Texts of which anything was changed. */
  changedTexts: number;
  characters: number;
  changedCharacters: number;
}

/** All that is held. */
export interface Figures {
  kinds: Record<string, KindFigures>;
  clean: Record<string, CleanFigures>;
}

/** The part of the evaluation's `--json` that is read. Keys with `|` are parts of another key, by file. */
interface Evaluation {
  rows: number;
  /** Texts at which the filter threw. */
  errors: number;
  types: Record<string, { n: number; gone: number; full: number; cov: number }>;
  over: Record<string, { texts: number; changed: number; chars: number; charsChanged: number }>;
}

/**
 * Reads what the evaluation wrote with `--json`. What was changed beside a label is left out of `clean`: the evaluation cannot tell
 * whether it belonged to the value.
 * @throws Error when the filter threw, or nothing was scored
 */
export function readFigures(json: string): Figures {
  const { rows, errors, types, over } = JSON.parse(json) as Evaluation;
  if (errors > 0) throw new Error(`The filter threw at ${errors} of ${rows} texts; no text may make it throw.`);
  if (rows === 0) throw new Error("The evaluation scored no text: the data is empty or of another form.");
  const whole = <T>(record: Record<string, T>) =>
    Object.entries(record)
      .filter(([key]) => !key.includes("|"))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    kinds: Object.fromEntries(
      whole(types).map(([kind, { n, gone, full, cov }]) => [kind, { values: n, gone, full, share: Math.round((1_000 * cov) / n) / 10 }]),
    ),
    clean: Object.fromEntries(
      whole(over)
        .filter(([group]) => !group.startsWith("outside-labels"))
        .map(([group, { texts, changed, chars, charsChanged }]) => [
          group,
          { texts, changedTexts: changed, characters: chars, changedCharacters: charsChanged },
        ]),
    ),
  };
}

/** The figures as the file that is under version control: a line a kind, so that a change of one is one line. */
export function writeFigures({ kinds, clean }: Figures): string {
  const lines = (record: object) =>
    Object.entries(record)
      .map(
        ([key, value]) =>
          `    ${JSON.stringify(key)}: ${JSON.stringify(value)
            .replaceAll(/([:,{])(?=\S)/g, "$1 ")
            .replace(/\}$/, " }")}`,
      )
      .join(",\n");
  return `{\n  "kinds": {\n${lines(kinds)}\n  },\n  "clean": {\n${lines(clean)}\n  }\n}\n`;
}
