import { describe, expect, test } from "vitest";
import { explain, redactUrl } from "./index.js";

const keyText = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun";

/** Families of texts that hold nothing to remove, each in several forms. */
const families: ReadonlyArray<readonly [name: string, texts: readonly string[]]> = [
  [
    "public keys and certificates",
    [
      "PUBLIC KEY",
      "RSA PUBLIC KEY",
      "EC PUBLIC KEY",
      "CERTIFICATE",
      "CERTIFICATE REQUEST",
      "PGP PUBLIC KEY BLOCK",
      "SSH2 PUBLIC KEY",
      "X509 CRL",
    ]
      .flatMap((name) => [
        `-----BEGIN ${name}-----\n${keyText}\n-----END ${name}-----`,
        `Public key:\n-----BEGIN ${name}-----\n${keyText}\n-----END ${name}-----\n`,
      ])
      .concat([
        `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1qUPqWBXWBaQZYvpXwYQmJ5 jo`,
        `publicKey: "${keyText}"`,
        `"public_key": "${keyText}"`,
        `PUBLIC_KEY=${keyText}`,
      ]),
  ],
  [
    "numbers of clauses and sections",
    [
      "clause",
      "Clause",
      "section",
      "Section",
      "§",
      "article",
      "chapter",
      "paragraph",
      "appendix",
      "table",
      "figure",
      "rule",
      "step",
      "requirement",
      "Abschnitt",
      "Kapitel",
      "chapitre",
      "sección",
      "version",
      "release",
    ].map((word) => `see ${word} 1.2.3.4 for more`),
  ],
  [
    "versions",
    [
      "| Version | Date |\n| --- | --- |\n| 120.0.6099.71 | 2026-01-02 |\n| 120.0.6099.109 | 2026-01-10 |",
      "Firmware\tDate\n10.12.13.14\t2026-01-02",
      "v8: '11.3.244.8-node.9'",
      "(RFC 7518, Section\n 4.8.1.2)",
      "This was first merged to 1.6.2.3.",
    ],
  ],
  [
    "check sums of public keys, years and postal codes",
    [
      "Public key pin-sha256: pL1+qb9HTMRZJmuC/bB/ZI9d302BYrrqiVuRyW+DGrU=",
      "accessible-leasing.c\nCopyright: 2008-2010, Code",
      "51 Franklin St, Fifth Floor, Boston, MA\n\t02110-1301, USA.",
      "https://img.example/badge/SQLite-%2307405e.svg",
      "Serial no. 20481733-A",
      "注文番号 0312345678",
    ],
  ],
  [
    "types and labels of passwords",
    [
      "mutation Login($password: String!, $email: String!) { login }",
      "query($token: ID!, $secret: [String!]!) { me }",
      "input SignUp { password: String! token: String }",
      'password: "Passwort"',
      '"password": "Contraseña",',
      '"password": "Mot de passe"',
      "password: 'Senha'",
      '"password": "Пароль"',
      '"password": "密码"',
      'password: "Kennwort"',
      '"password": "Wachtwoord"',
      "password: sha256",
      "password: argon2",
      "password: base64",
      "passwordField: input2",
      "type Password = string",
    ],
  ],
  [
    "numbers that are no telephones",
    [
      "377 610 987 1597",
      "12 415 555 0132",
      "order number is 5001234567",
      "your order number is 5001234567",
      "Call us with your order number: 5001234567",
      "the tracking number is 4155550132",
      "serial number 415-555-0132",
      "invoice number is 2025550143",
      "ticket 415-555-0132",
      "part no. 020 7946 0958",
      "case number 202-555-0143",
      "item 06 12 34 56 78",
      "01 02 03 04 05 06 07 08",
      "0f 06 12 34 56 78",
      "046 454 286",
      "2024 05 13 10 30",
      "booking reference 0712345678",
      "Bestellnummer 0301234567",
      "Rechnung 030 901820",
      "isbn 0 306 40615 2",
      "customer number is 5001234567",
      "policy number 020 7946 0958",
    ],
  ],
];

describe.each(families)("%s stay", (_, texts) => {
  test.each(texts)("%j", (text) => {
    expect(explain(text, "filtered")).toEqual([]);
  });
});

test.each(["track", "album", "artist", "playlist", "episode", "video", "movie", "product", "status"])(
  "the id of a public %s stays in its address",
  (thing) => {
    const url = `https://media.example/${thing}/4uLU6hMCjMI75M1A2tKUQC`;
    for (const level of ["public", "private", "filtered"] as const) expect(redactUrl(url, level).url).toBe(url);
  },
);
