import type { CopyMark } from "./copy-ends.js";

/** Table of the mark of a copy that is under way; it is there only so long. */
export const markTable = "periscope_copy";

/** A database that a copy has not come to the end of. The message says how to go on. */
export class HalfCopied extends Error {
  override readonly name = "HalfCopied";
  constructor({ from }: Pick<CopyMark, "from">) {
    super(
      `This database is a copy of ${from} that has not come to its end, so it cannot be used yet. Give the same command again (periscope copy --from … --to …): it goes on where it was. With --start-over it begins anew.`,
    );
  }
}

/** The mark as it stands in the table. */
export function readMark(json: string): CopyMark {
  return JSON.parse(json) as CopyMark;
}
