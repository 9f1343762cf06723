/** A sentence as it stands in pages, with a value that is nobody's. */
export interface Sprinkle {
  sentence: string;
  /** What a filter has to remove from it. */
  value: string;
  /** Lowest level at which it goes from content. */
  from: "private" | "filtered";
}

type Random = () => number;

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const names = ["jo", "ana.silva", "m.weber", "chen_li", "sofia", "o.brien", "pat", "r-kumar"];

function draw(random: Random, count: number, from: string): string {
  return Array.from({ length: count }, () => from[Math.floor(random() * from.length)] ?? "").join("");
}

function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

const token = (random: Random, count: number) => draw(random, count, letters + digits);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A Visa number whose last digit is that of Luhn (ISO/IEC 7812-1, annex B). */
function card(random: Random): string {
  const body = `4${draw(random, 14, digits)}`;
  const sum = Array.from(body).reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`.replaceAll(/(\d{4})(?=\d)/g, "$1 ");
}

/** A German IBAN with its check digits (ISO 13616, mod 97). */
function iban(random: Random): string {
  const account = draw(random, 18, digits);
  // 131400 is `DE00` with its letters as numbers.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, "0")}${account}`.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

const makers: ReadonlyArray<{ from: Sprinkle["from"]; value: (random: Random) => string; sentence: (value: string) => string }> = [
  {
    from: "filtered",
    value: (random) => `${names[between(random, 0, names.length - 1)] ?? ""}${between(random, 1, 999)}@mail.example.org`,
    sentence: (value) => `Write to ${value} when the build fails again.`,
  },
  {
    from: "filtered",
    value: (random) => `(415) 555-01${draw(random, 2, digits)}`,
    sentence: (value) => `The maintainer on call can be reached at ${value} on weekdays.`,
  },
  {
    from: "filtered",
    value: (random) => `203.0.113.${between(random, 1, 254)}`,
    sentence: (value) => `The request came from ${value} twice.`,
  },
  {
    from: "filtered",
    value: (random) => `00:1a:2b:${draw(random, 2, digits)}:${draw(random, 2, digits)}:5e`,
    sentence: (value) => `Its interface has the address ${value}.`,
  },
  { from: "private", value: card, sentence: (value) => `The order was paid with card ${value} last week.` },
  { from: "private", value: iban, sentence: (value) => `Refunds go to IBAN ${value} within a week.` },
  {
    from: "private",
    value: (random) => `536-${between(random, 10, 99)}-${between(random, 1_000, 9_999)}`,
    sentence: (value) => `The form asks for the social security number, here ${value}, first.`,
  },
  {
    from: "private",
    value: (random) => ["ghp", token(random, 36)].join("_"),
    sentence: (value) => `It was run with the key ${value} from the vault.`,
  },
  {
    from: "private",
    value: (random) => [encoded({ alg: "HS256" }), encoded({ sub: between(random, 1, 9_999) }), token(random, 43)].join("."),
    sentence: (value) => `The answer held ${value} in its header.`,
  },
  {
    from: "private",
    value: (random) => token(random, 14),
    sentence: (value) => `The sample has password: "${value}" in its settings.`,
  },
  {
    from: "private",
    value: (random) => token(random, 24),
    sentence: (value) => `Follow https://app.example.com/invoices?id=12&access_token=${value} to see it.`,
  },
];

/** Sentences of every kind by turns, the same for the same `random`. */
export function* sprinkles(random: Random): Generator<Sprinkle, never> {
  for (let turn = 0; ; turn += 1) {
    const maker = makers[turn % makers.length];
    if (maker === undefined) continue;
    const value = maker.value(random);
    yield { sentence: maker.sentence(value), value, from: maker.from };
  }
}
