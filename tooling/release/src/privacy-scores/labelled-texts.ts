import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Tally } from "../tally.ts";

/** The labelled texts, and the script beside them that scores a filter. */
export const textsFile = "dev.jsonl.gz";
export const scriptFile = "eval.mjs";

/** Where the labelled texts are; or, when they are not there, what that counts as. */
export type LabelledTexts = { folder: string } | { folder: undefined; reason: string; tally: Tally };

/**
 * Looks for the labelled texts in the folder that `named` says (`PRIVACY_EVAL_DATA`), else beside the repository. They are not part of it, so a
 * folder that nobody named may be missing: nothing is tried then, and nothing has passed. One that was named must be there.
 */
export function findLabelledTexts(root: string, named = ""): LabelledTexts {
  const folder = named === "" ? resolve(root, "../shared/privacy-data") : resolve(named);
  const missing = [textsFile, scriptFile].filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return { folder };
  const reason = `${missing.join(" and ")} not found in ${folder}`;
  const tally = named === "" ? { passed: [], failed: [], notRun: reason } : { passed: [], failed: [reason] };
  return { folder: undefined, reason, tally };
}
