import { createHash } from "node:crypto";
import { base32, base58, digits, hex, letters, type Random, small } from "./random.js";

/** Makes a value of one kind. */
export type MakeValue = (random: Random) => string;

const grouped = (text: string, size: number, sign: string): string => text.replace(new RegExp(`(.{${size}})(?=.)`, "g"), `$1${sign}`);

function luhnDigit(body: string): string {
  let sum = 0;
  for (let i = body.length - 1, double = true; i >= 0; i--, double = !double) {
    const digit = Number(body[i]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return String((10 - (sum % 10)) % 10);
}

export const card: MakeValue = (random) => {
  const body = random.pick(["4", "51", "55", "6011"]);
  const rest = body + random.text(15 - body.length, digits);
  return random.pick([
    (number: string) => number,
    (number: string) => grouped(number, 4, " "),
    (number: string) => grouped(number, 4, "-"),
  ])(rest + luhnDigit(rest));
};

export const iban: MakeValue = (random) => {
  const account = random.text(18, digits);
  let rest = 0;
  for (const digit of `${account}131400`) rest = (rest * 10 + Number(digit)) % 97;
  const number = `DE${String(98 - rest).padStart(2, "0")}${account}`;
  return random.pick([number, grouped(number, 4, " ")]);
};

export const ssn: MakeValue = (random) => {
  const number = `${random.pick(["1", "2", "3", "4", "5"])}${random.text(2, "12345678")}${random.text(2, "12345678")}${random.text(4, "12345678")}`;
  return random.pick([`${number.slice(0, 3)}-${number.slice(3, 5)}-${number.slice(5)}`, number]);
};

/** Brazilian CPF, Polish PESEL or British NHS number: all have check digits and no letters. */
export const cpf: MakeValue = (random) => {
  const check = (body: string): string => {
    const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (body.length + 1 - index), 0);
    return String(((sum * 10) % 11) % 10);
  };
  const body = random.text(9, digits);
  const first = body + check(body);
  const all = first + check(first);
  return random.pick([all, `${all.slice(0, 3)}.${all.slice(3, 6)}.${all.slice(6, 9)}-${all.slice(9)}`]);
};

export const phone: MakeValue = (random) =>
  random.pick([
    () => `0${random.pick(["30", "171", "89", "40"])} ${random.text(7, "23456789")}`,
    () =>
      `0${random.text(2, "123456789")} ${random.text(2, digits)} ${random.text(2, digits)} ${random.text(2, digits)} ${random.text(2, digits)}`.slice(
        0,
        14,
      ),
    () => `0${random.text(1, "23")}${random.text(8, digits)}`,
    () => `${random.text(3, "6789")} ${random.text(3, "23456789")} ${random.text(3, digits)}`,
  ])();

export const email: MakeValue = (random) => `${random.text(6, small)}.${random.text(4, small)}@${random.text(7, small)}.example`;

export const password: MakeValue = (random) =>
  random.pick([
    () => `${random.text(5, small)}${random.text(3, digits)}${random.pick(["!", "#", "$", "%"])}${random.text(2, letters)}`,
    () =>
      `${random.text(1, letters)}${random.text(4, small)}${random.text(2, digits)}${random.text(1, letters)}${random.text(3, small)}${random.text(1, digits)}`,
    () =>
      random
        .text(14, letters + small + digits)
        .replace(/^./, "k")
        .replace(/.$/, "7"),
  ])();

export const secret: MakeValue = (random) =>
  random.pick([
    () => random.text(40, hex),
    () => `${random.text(30, letters + small + digits)}7aB`,
    () => `q${random.text(31, small + digits)}4`,
  ])();

export const setupKey: MakeValue = (random) => {
  const key = random
    .text(random.pick([16, 32]), base32)
    .replace(/^./, "J")
    .replace(/.$/, "4");
  return random.pick([key, grouped(key, 4, " "), grouped(key.toLowerCase(), 4, " ")]);
};

export const recoveryCode: MakeValue = (random) =>
  random.pick([
    () => `${random.text(4, digits)}-${random.text(4, digits)}`,
    () => `${random.text(5, hex).replace(/^./, "b")}-${random.text(5, hex).replace(/.$/, "7")}`,
    () => random.text(8, digits),
    () => `${random.text(4, letters)}-${random.text(4, digits)}-${random.text(4, letters)}`,
  ])();

export const otp: MakeValue = (random) =>
  random.pick([random.text(6, digits), `${random.text(3, digits)} ${random.text(3, digits)}`, random.text(6, digits)]);
export const cvv: MakeValue = (random) => random.text(3, digits);
export const pin: MakeValue = (random) => random.text(random.pick([4, 4, 6]), digits);
export const bankAccount: MakeValue = (random) => random.text(random.pick([8, 10, 12]), "123456789");
export const routing: MakeValue = (random) =>
  random.pick([random.text(9, "123456789"), `${random.text(2, digits)}-${random.text(2, digits)}-${random.text(2, digits)}`]);
export const passport: MakeValue = (random) =>
  random.pick([`${random.text(1, letters)}${random.text(8, digits)}`, `${random.text(2, letters)}${random.text(7, digits)}`]);
export const licence: MakeValue = (random) =>
  random.pick([
    `${random.text(1, letters)}${random.text(7, digits)}`,
    `${random.text(1, letters)}${random.text(3, digits)}-${random.text(4, digits)}-${random.text(4, digits)}`,
  ]);
export const medical: MakeValue = (random) =>
  random.pick([random.text(8, "123456789"), `${random.text(3, letters)}${random.text(7, digits)}`]);
export const birth: MakeValue = (random) => {
  const [year, month, day] = [1940 + random.int(65), 1 + random.int(12), 1 + random.int(28)];
  const two = (value: number): string => String(value).padStart(2, "0");
  return random.pick([
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}.${two(month)}.${year}`,
    `${two(day)}/${two(month)}/${year}`,
    `${day} March ${year}`,
  ]);
};

const sha256 = (data: Uint8Array): Buffer => createHash("sha256").update(data).digest();

function base58check(payload: Buffer): string {
  const whole = Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]);
  let number = BigInt(`0x${whole.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = base58.charAt(Number(number % 58n)) + text;
  for (const byte of whole) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

/** A Bitcoin address of the first kind (base58check), or the hexadecimal one of Ethereum. */
export const wallet: MakeValue = (random) =>
  random.pick([
    () => base58check(Buffer.from(`${random.pick(["00", "05"])}${random.text(40, hex)}`, "hex")),
    () => `0x${random.text(40, hex)}`,
  ])();
