import type { Detector, DetectorTier } from "../detector.js";
import { buildAutomaton, type KeywordAutomaton } from "../text/keyword-automaton.js";
import { apiKey } from "./api-key.js";
import { card } from "./card.js";
import { email } from "./email.js";
import { iban } from "./iban.js";
import { ip } from "./ip.js";
import { jwt } from "./jwt.js";
import { labelledCode, labelledValue } from "./labelled.js";
import { loginCommand } from "./login-command.js";
import { loginLink } from "./login-link.js";
import { mac } from "./mac.js";
import { nationalId } from "./national-id.js";
import { oneTimeCode } from "./one-time-code.js";
import { person } from "./person.js";
import { phone } from "./phone.js";
import { privateKey } from "./private-key.js";
import { secretManifest } from "./secret-manifest.js";
import { secret } from "./secret.js";
import { urlAuth } from "./url-auth.js";
import { urlToken } from "./url-token.js";
import { usSsn } from "./us-ssn.js";
import { wallet } from "./wallet.js";

/** Every built-in detector. The order does not matter: spans are labelled by priority. */
export const detectors: readonly Detector[] = [
  privateKey,
  jwt,
  apiKey,
  urlAuth,
  urlToken,
  loginLink,
  secret,
  loginCommand,
  secretManifest,
  labelledCode,
  oneTimeCode,
  card,
  iban,
  usSsn,
  nationalId,
  email,
  phone,
  ip,
  mac,
  labelledValue,
  wallet,
  person,
];

/** A kind of value that is looked for, and from where on. */
export interface DetectorKind {
  /** As counts, stand-ins and policies name it, e.g. `email`. */
  readonly kind: string;
  /**
   * `floor`: at every level, and cannot be switched off. `government` and `financial`: from `private` on. `contact`: from `private` on
   * in URLs and titles, from `filtered` on in content. `identifier`: from `filtered` on.
   */
  readonly tier: DetectorTier;
}

/** Every kind that a policy may name in `detectorsOff` and `detectorsOn`, each once. */
export const detectorKinds: readonly DetectorKind[] = [
  ...new Map(
    detectors
      .flatMap(({ kind, alsoFinds = [], tier }) => [kind, ...alsoFinds].map((name) => [name, { kind: name, tier }] as const))
      .toReversed(),
  ).values(),
].toReversed();

const floor: ReadonlySet<string> = new Set(detectorKinds.filter(({ tier }) => tier === "floor").map(({ kind }) => kind));

/** Whether a kind belongs to the floor, which no policy switches off. */
export function isFloorKind(kind: string): boolean {
  return floor.has(kind);
}

let shared: KeywordAutomaton | undefined;

/** One automaton for the anchors of all built-in detectors, built when first needed (a few milliseconds). */
export function anchorAutomaton(): KeywordAutomaton {
  return (shared ??= buildAutomaton(
    detectors.map(({ anchors, anchorsStartWords = false }) => ({ words: anchors, startWords: anchorsStartWords })),
  ));
}
