// How much slower than prose of its length the filter is on hostile text: node eval/hostile.mjs [units]
// Prints the shapes that are slowest. Needs a machine that does nothing else.
import { redactHtml, redactText, redactUrl } from "../dist/index.js";

const print = (...parts) => process.stdout.write(`${parts.join(" ")}\n`);
const length = Number(process.argv[2] ?? 262_144);
const shapes = [
  "a",
  "a.",
  "a@",
  "a@a.",
  "-",
  "1",
  "1 ",
  "4111-",
  "4111 ",
  "1.",
  "1:",
  "::",
  "f:",
  "DE89 ",
  "A1",
  "eyJ",
  "eyJhbGciOi.",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----BEGIN ",
  "http://a:",
  "http://",
  "://",
  "?a=",
  "&token=",
  "password=",
  'password: "',
  "password:'",
  "password:/",
  "password: /",
  "password:\n",
  "key ",
  "key:/",
  "key:",
  "key=",
  "key\n",
  "token:",
  "secret ",
  "secret:\n",
  "pin ",
  "pin: ",
  "pin\n",
  "pin\t",
  "pin,",
  "PIN|pin\n",
  "pin (",
  "(pin) ",
  "cvv 1 ",
  "cvv: 12 ",
  "otp 1234 ",
  "your code 1234 ",
  "code 123456 ",
  "verification code ",
  "verification code 12 ",
  "482913 is your ",
  " ",
  "\t\n",
  "\n",
  "(555) ",
  "+1",
  "0171 5550123 ",
  "020 7946 0958 ",
  "phone 1 ",
  "phone: 555 ",
  "phone\n",
  "AKIA",
  "xoxb-1-",
  "%40",
  "\u200b",
  "\ufdd0",
  "\u{1f600}",
  "\u0661",
  "\uff11",
  "\u2011",
  "é",
  "[x](",
  "<",
  "<a ",
  "<!--",
  "<b>a</b>",
  "<b>1</b>",
  "<svg>",
  "<td>pin</td>",
  "&#64;",
  "&",
  '{"a":',
  '\\"pin\\":',
  "\\\\",
  "\\n",
  "kind: Secret\n",
  "kind: Secret\ndata:\n",
  "identified by '",
  "identified by ",
  "wifi:P:",
  "curl -u a:",
  "-p a ",
  "ssn ",
  "ssn 123 ",
  "iban ",
  "IBAN DE89 ",
  "cpf 1 ",
  "id number 12345678 ",
  "begin:vcard\n",
  '{"@type":"Person",',
  "sk-",
  "/reset",
  "/reset/",
  "https://a.b/reset/a1b2c3d4e5f6/",
  "/verify/1/",
  "?code=1&",
  "a=1&",
  "#/",
  "[REDACTED:",
  "[REDACTED:email]",
  "REDACTED",
  "jo@example.org ",
  "4111111111111111,",
  "4111 1111 1111 1111\n",
  "123-45-6789 ",
  "dob: ",
  "dob 1.1.",
  "born 1 ",
  "account 1 ",
  "g-",
  "1.1.1.1",
  "00:",
  "0x",
  "0xabcdef ",
  "wallet 0x",
  "bc1q",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa ",
  "3aaaaaaaaaaaaaaaaaaaaaaaaaaa ",
  "Private-Lines: 9\n",
  "ZXlK",
  "setup key ",
  "setup key abcd ",
  "secret key: JBSW ",
  "backup codes: 1234-5678 ",
  "backup codes: 1234-5678, ",
  "pins:\n",
  "pins: 1, ",
  "Tom: and the pin\n",
  "recovery code 1-2 ",
  "seed phrase a b c ",
  "a,pin\n",
  "pin,a\n1,2\n",
  "pin\tpin\tpin\tpin\n",
  "| pin | token |\n",
  "a|",
  "a\tb\t",
  "a;b,c|d\n",
  "card ",
  "card 4111 ",
  "sentry ",
  "new relic: ",
  "Algolia=",
  "clause 1.2.3.4 ",
  "APIM",
  "+ABa",
  "AAAAAAAAAA",
  "api_key",
  "pswd",
  "secretkey ",
  "여권",
  "암호:",
  "AIza",
  "IGQV",
  "3MVG",
  "AKLT",
  "eyJrIjoi",
];
const prose = `The committee met again in the spring, and its members agreed to publish the minutes before the summer (see https://example.org/minutes?year=2024).
Nobody had asked for that in 1998. "The key to this," said one of them, "is that people who call us get an answer." Write to the office, or come on a Monday before 10:30.
The code of conduct has 12 parts; part 3.2 is new. Version 2.10 of the text, of 14 May 2024, is the one that counts: it names the account that pays for the work.

`;
const fill = (unit) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const calls = {
  text: (text) => redactText(text, "filtered"),
  "text at private": (text) => redactText(text, "private"),
  html: (text) => redactHtml(text, "private"),
  "html to text": (text) => redactHtml(text, "filtered"),
  url: (text) => redactUrl(`https://a.example/${text}`, "filtered"),
};
const time = (run) => {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const from = process.cpuUsage().user;
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start, (process.cpuUsage().user - from) / 1000 || Number.POSITIVE_INFINITY);
  }
  return best;
};
for (const run of Object.values(calls)) for (let i = 0; i < 12; i++) run(fill(prose));
const found = [];
// An address is no prose: its time is compared with that of prose of its length.
const base = Math.max(...[1, 2, 3].map(() => time(() => calls.text(fill(prose)))));
print(`prose: ${base.toFixed(1)} ms for ${length} units`);
for (const [name, run] of Object.entries(calls)) {
  for (const unit of shapes) {
    const text = fill(unit);
    let ms;
    try {
      ms = time(() => run(text));
    } catch (error) {
      print(name, JSON.stringify(unit), "throws", error.name);
      continue;
    }
    found.push({ name, unit, ratio: ms / base, ms });
  }
}
print(`${shapes.length} shapes; slowest:`);
for (const { name, unit, ratio, ms } of found.toSorted((a, b) => b.ratio - a.ratio).slice(0, 40))
  print(ratio.toFixed(1).padStart(6), ms.toFixed(0).padStart(6), "ms", name, JSON.stringify(unit));
