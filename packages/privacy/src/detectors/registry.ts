import type { Detector } from "../detector.js";
import { buildAutomaton, type KeywordAutomaton } from "../text/keyword-automaton.js";
import { apiKey } from "./api-key.js";
import { card } from "./card.js";
import { email } from "./email.js";
import { iban } from "./iban.js";
import { ip } from "./ip.js";
import { jwt } from "./jwt.js";
import { labelledValue } from "./labelled-value.js";
import { loginCommand } from "./login-command.js";
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

/** Every built-in detector. The order does not matter: spans are labelled by priority. */
export const detectors: readonly Detector[] = [
  privateKey,
  jwt,
  apiKey,
  urlAuth,
  urlToken,
  secret,
  loginCommand,
  secretManifest,
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
  person,
];

let shared: KeywordAutomaton | undefined;

/** One automaton for the anchors of all built-in detectors, built when first needed (a few milliseconds). */
export function anchorAutomaton(): KeywordAutomaton {
  return (shared ??= buildAutomaton(detectors.map((detector) => detector.anchors)));
}
