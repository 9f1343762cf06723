import { detectorKinds, explain, type PrivacyLevel } from "@periscope/privacy";
import * as fc from "fast-check";
import { vendorTokens } from "../../../packages/privacy/src/data/vendor-tokens.js";

/** A value that must not be stored, in the text that it stands in. */
export interface Planted {
  kind: string;
  text: string;
  /** What of the text must go. */
  value: string;
}

/** Joins parts of a value that looks like a secret, so that scanners of this repository do not take it for one. */
const joined = (...parts: readonly string[]): string => parts.join("");

let state = 11;

/** Characters that look random, other ones at each call. */
function noise(length: number, alphabet = "aB3dE6gH1jK4mN7pQ0sT2vW5yZ8c"): string {
  return Array.from({ length }, () => {
    state = (state * 1_103_515 + 12_345) % 2_147_483_647;
    return alphabet.charAt((state >> 7) % alphabet.length);
  }).join("");
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (subject: string) => [part({ alg: "HS256", typ: "JWT" }), part({ sub: subject }), noise(40)].join(".");
const pem = (name: string) => {
  const body = `${noise(64)}\n${noise(64)}`;
  return { text: joined(`-----BEGIN ${name}`, "PRIVATE KEY-----\n", body, `\n-----END ${name}`, "PRIVATE KEY-----"), value: body };
};

/** Text around the values of a kind: `{}` is where each one goes. */
type Rows = ReadonlyArray<readonly [around: string, value: string]>;

const rows: Record<string, Rows> = {
  jwt: [
    ["Authorization: Bearer {}", jwt("planted-one")],
    ["the session is {} for now", jwt("planted-two")],
  ],
  api_key: [
    ["token {} of the robot", joined("ghp", "_", noise(36))],
    ["key={}", joined("sk", "_live_", noise(28))],
  ],
  url_auth: [
    ["clone https://{}@git.example/x.git", "planted-me:s3cret-Planted"],
    ["postgres://{}@db.example:5432/x", "planted-app:p4ssPlanted"],
  ],
  token: [
    ["see https://a.example/x?access_token={}&y=1", noise(28)],
    ["see https://a.example/x;jsessionid={}?q=1", noise(32)],
    ["open https://a.example/magic-link/{}/open", noise(28)],
    ["https://a.example/v?t=88&sid={}", noise(32, "0123456789abcdef")],
  ],
  password: [
    ['password = "{}"', "hunter2!Planted"],
    ["my password is {}", "zebraPlanted99x"],
    ["CREATE USER 'a'@'b' IDENTIFIED BY '{}';", "kkPlantedWord77"],
    ["curl -u {} https://example.com", joined("admin:", noise(12))],
  ],
  secret: [
    ['API_KEY = "{}"', noise(24)],
    ['{"client_secret":"{}","x":1}', noise(24)],
    ["kind: Secret\ndata:\n  {}\nmetadata:", `extra: ${Buffer.from("planted-secret-of-kubernetes").toString("base64")}`],
  ],
  one_time_code: [
    ["Your verification code is {}.", "482913"],
    ["use {} as your login code", "739164"],
  ],
  cvv: [
    ["CVV: {}", "739"],
    ["security code = {}", "8264"],
  ],
  pin: [
    ["PIN: {}", "4711"],
    ["my pin is {}", "9053"],
  ],
  card: [
    ["paid with {} today", "4111 1111 1111 1111"],
    ["card {}", "5555555555554444"],
    ["amex {}", "3782-822463-10005"],
  ],
  iban: [
    ["pay {} now", "DE89 3704 0044 0532 0130 00"],
    ["IBAN {}", "GB82WEST12345698765432"],
  ],
  us_ssn: [
    ["id {}", "536-90-4399"],
    ["SSN: {}", "523904411"],
  ],
  national_id: [
    ["DNI {}", "12345678Z"],
    ["CPF {}", "529.982.247-25"],
    ["NHS number {}", "943 476 5919"],
    ["personnummer {}", "811218-9876"],
    ["Steuer-ID {}", "86095742719"],
  ],
  email: [
    ["write to {}.", "ada.planted@mail.example.org"],
    ["Jo <{}>", "jo.planted+list@post.example.net"],
  ],
  phone: [
    ["reach us: {}", "+44 20 7946 0958"],
    ["ask for {}", "415-555-0132"],
  ],
  ip: [
    ["from {} at", "203.0.113.77"],
    ["ping {}.", "2001:db8:77::beef:1"],
  ],
  mac: [
    ["hw {} up", "00:1a:2b:3c:4d:5e"],
    ["hw {} up", "AA-BB-CC-DD-EE-FF"],
  ],
  bank_account: [
    ["Account number: {}", "7582249128"],
    ["SWIFT: {}", "DEUTDEFF500"],
  ],
  passport: [
    ["Passport: {}", "U64963786"],
    ["passport no. {}", "C01X00T47"],
  ],
  licence: [
    ["Driver's license: {}", "D123-4567-8901"],
    ["driving licence {}", "MORGA753116SM9IJ"],
  ],
  medical_record: [
    ["MRN: {}", "MRN-1447606"],
    ['"mrn": "{}"', "10259590"],
  ],
  date_of_birth: [
    ["DOB: {}", "1976-10-10"],
    ["born on {}", "18 January 1961"],
  ],
  name: [
    ["BEGIN:VCARD\nVERSION:4.0\nFN:{}\nEND:VCARD", "Ada Plantedova"],
    ['{"@type":"Person","name":"{}","jobTitle":"Engineer"}', "Grace Plantagenet"],
  ],
  address: [
    ["BEGIN:VCARD\nADR;TYPE=home:{}\nEND:VCARD", ";;71 Planted St;Plantedtown;;12345;X"],
    ['{"@type":"Person","streetAddress":"{}"}', "19 Plantation Row"],
  ],
};

// Random text is not made to look ahead or behind; what does not hold by chance is left out.
const lookarounds = /\(\?<?[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Vendors of whose shape no random token passes for real, with the mark of the shape: what the filter lost sight of would be here. */
export const vendorsLeftOut: string[] = [];

/** A token of each shape in the table of vendors. */
function vendorValues(): Planted[] {
  return vendorTokens.flatMap(({ vendor, anchor, shape }, index) => {
    const shaped = fc.stringMatching(new RegExp(`^${shape.replaceAll(lookarounds, "")}$`));
    const value = fc
      .sample(shaped, { numRuns: 30, seed: 5000 + index })
      .find((token) => token.length <= 400 && isFound(`id: ${token} end`, token));
    if (value !== undefined) return [{ kind: "api_key", text: `id: ${value} end`, value }];
    vendorsLeftOut.push(`${vendor} ${anchor}`);
    return [];
  });
}

function isFound(text: string, value: string): boolean {
  const start = text.indexOf(value);
  return explain(text, "public").some((found) => found.start <= start && found.end >= start + value.length);
}

/** Names and addresses of the user's own deny-list; the list itself is stored as the user wrote it, here in capitals. */
export const denied: readonly Planted[] = [
  { kind: "denied", text: "signed by Zebedee Quillfeather", value: "Zebedee Quillfeather" },
  { kind: "denied", text: "lives at 12 Nightingale Lane now", value: "12 Nightingale Lane" },
];
export const denyList: readonly string[] = denied.map(({ value }) => value.toUpperCase());

/** Every planted value, by hand and of every vendor. */
export const planted: readonly Planted[] = [
  ...Object.entries(rows).flatMap(([kind, list]) =>
    list.map(([around, value]): Planted => ({ kind, value, text: around.replace("{}", () => value) })),
  ),
  ...["", "RSA "].map((name): Planted => ({ kind: "private_key", ...pem(name) })),
  ...vendorValues(),
];

/** Where a value stands: contact details go from titles and URLs sooner than from anything else. */
export type Place = "content" | "title or url";

const tiers = new Map<string, string>(detectorKinds.map(({ kind, tier }) => [kind, tier]));

/** The lowest level at which a kind must go (docs of the package: tiers of detectors). */
export function goesFrom(kind: string, place: Place): PrivacyLevel {
  const tier = tiers.get(kind) ?? "identifier";
  if (tier === "floor") return "public";
  if (tier === "identifier" || (tier === "contact" && place === "content")) return "filtered";
  return "private";
}
