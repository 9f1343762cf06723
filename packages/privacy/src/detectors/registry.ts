import type { Detector } from "../detector.js";
import { buildAutomaton, type KeywordAutomaton } from "../text/keyword-automaton.js";
import { card } from "./card.js";
import { email } from "./email.js";
import { jwt } from "./jwt.js";
import { privateKey } from "./private-key.js";

/** Every built-in detector. The order does not matter: spans are labelled by priority. */
export const detectors: readonly Detector[] = [privateKey, jwt, card, email];

let shared: KeywordAutomaton | undefined;

/** One automaton for the anchors of all built-in detectors, built when first needed (a few milliseconds). */
export function anchorAutomaton(): KeywordAutomaton {
  return (shared ??= buildAutomaton(detectors.map((detector) => detector.anchors)));
}
