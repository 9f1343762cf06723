import { detectorKinds, isAtMost, type PrivacyLevel } from "@periscope/privacy";

/** A value that must not be stored, in the text that it stands in. */
export interface Planted {
  kind: string;
  text: string;
  /** What of the text must go. */
  value: string;
}

/** Joins parts of a value that looks like a secret, so that scanners of this repository do not take it for one. */
const joined = (...parts: readonly string[]): string => parts.join("");

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const random = "aW2vB3dZ8yE6gH1jK4mN7pQ0sT5cR9fL";
const pemBody = `${random}${random}\n${random.toUpperCase()}${random}`;

/** A value of each kind: `{}` is where it goes in its text. */
const rows: ReadonlyArray<readonly [kind: string, around: string, value: string]> = [
  ["jwt", "Authorization: Bearer {}", [part({ alg: "HS256", typ: "JWT" }), part({ sub: "planted-one" }), `${random}xYz4aB7c`].join(".")],
  ["api_key", "token {} of the robot", joined("ghp", "_", random, "Q7w3")],
  ["url_auth", "postgres://{}@db.example:5432/x", "planted-app:p4ssPlanted"],
  ["token", "see https://a.example/x?access_token={}&y=1", `tk${random.slice(4)}`],
  ["password", 'password = "{}"', "hunter2!Planted"],
  ["secret", '{"client_secret":"{}","x":1}', `cs${random.slice(6, 28)}`],
  ["one_time_code", "Your verification code is {}.", "482913"],
  ["cvv", "security code = {}", "8264"],
  ["setup_key", "Setup key: {}", joined("JBSW", "Y3DPEHPK3PXP")],
  ["recovery_code", "Backup code: {}", "8391-2284"],
  ["pin", "my pin is {}", "9053"],
  ["card", "paid with {} today", "4111 1111 1111 1111"],
  ["iban", "pay {} now", "DE89 3704 0044 0532 0130 00"],
  ["us_ssn", "id {}", "536-90-4399"],
  ["national_id", "CPF {}", "529.982.247-25"],
  ["email", "write to {}.", "ada.planted@mail.example.org"],
  ["phone", "reach us: {}", "+44 20 7946 0958"],
  ["ip", "from {} at", "203.0.113.77"],
  ["mac", "hw {} up", "00:1a:2b:3c:4d:5e"],
  ["bank_account", "Account number: {}", "7582249128"],
  ["passport", "Passport: {}", "U64963786"],
  ["licence", "Driver's license: {}", "D123-4567-8901"],
  ["medical_record", "MRN: {}", "MRN-1447606"],
  ["date_of_birth", "DOB: {}", "1976-10-10"],
  ["wallet", "Wallet address: {}", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["name", '{"@type":"Person","name":"{}","jobTitle":"Engineer"}', "Grace Plantagenet"],
  ["address", '{"@type":"Person","streetAddress":"{}"}', "19 Plantation Row"],
  ["private_key", joined("-----BEGIN ", "PRIVATE KEY-----\n{}\n-----END ", "PRIVATE KEY-----"), pemBody],
  // Of the user's own deny-list.
  ["denied", "signed by Zebedee Quillfeather", "Zebedee Quillfeather"],
];

export const planted: readonly Planted[] = rows.map(([kind, around, value]) => ({ kind, value, text: around.replace("{}", () => value) }));

/** The list itself is stored as the user wrote it, here in capitals. */
export const denyList: readonly string[] = ["ZEBEDEE QUILLFEATHER"];

const tiers = new Map<string, string>(detectorKinds.map(({ kind, tier }) => [kind, tier]));

/** Whether a value must go at a level: contact details go from titles and URLs sooner than from content. */
export function mustGo({ kind }: Planted, level: PrivacyLevel, place: "content" | "title or url"): boolean {
  const tier = tiers.get(kind) ?? "identifier";
  const from = tier === "floor" ? "public" : tier === "identifier" || place === "content" ? "filtered" : "private";
  return isAtMost(from, level);
}
