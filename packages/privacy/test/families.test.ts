import { describe, expect, test } from "vitest";
import { type PrivacyLevel, redactText } from "../src/index.js";
import { joined } from "./detector-table.js";
import { digits, hex, letters, type Random, seeded, small } from "./layouts/random.js";

const mixed = letters + small + digits;
const password = (random: Random) => `${random.text(4, small)}7${random.text(3, letters)}!${random.text(2, digits)}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const token = (random: Random) => `a7${random.text(4, digits)}K${random.text(24, mixed)}q9`;
const wrappedJwt = (random: Random) =>
  base64(
    [
      base64('{"alg":"HS256","typ":"JWT"}').replaceAll("=", ""),
      base64(`{"sub":"${random.text(9, digits)}"}`).replaceAll("=", ""),
      random.text(43, mixed),
    ].join("."),
  );

/** Every text of the first list with each of the second in place of `@`. */
const across = (frames: readonly string[], parts: readonly string[]): string[] =>
  frames.flatMap((frame) => parts.map((part) => frame.replaceAll("@", part)));

interface Family {
  readonly name: string;
  readonly from: PrivacyLevel;
  readonly make: (random: Random) => string;
  /** Texts that hold the value as `*`. */
  readonly removed: readonly string[];
  /** Texts of the same words that hold none. */
  readonly kept: readonly string[];
}

const families: readonly Family[] = [
  {
    // A code has four fields in any order and few kinds of security: these are all there are, in the places where pages show them.
    name: "codes of Wi-Fi networks",
    from: "public",
    make: password,
    removed: [
      ...across(
        ["WIFI:T:@;S:Home;P:*;;", "WIFI:S:Home;T:@;P:*;H:true;;", "WIFI:P:*;T:@;S:Caf\\;e;;"],
        ["WPA", "WPA2", "WPA3", "SAE", "WEP"],
      ),
      ...across(
        ['{"qr":"@"}', "<code>@</code>", "Scan @ to join", "qr = '@'", "- @"],
        ["WIFI:T:WPA;S:Home;P:*;;", "wifi:S:net 5;T:WPA;P:*;;"],
      ),
      ...across(["@: *", "@\n*", "| @ | * |"], ["Wi-Fi password", "WLAN-Passwort", "Clé Wi-Fi", "Clave Wi-Fi"]),
    ],
    kept: ["WIFI:T:nopass;S:Guest;;", "WIFI: connected", "wifi:on", "WIFI:T:WPA;S:Guest;P:<password>;;", "Wi-Fi password: ask at the desk"],
  },
  {
    name: "passwords in SQL",
    from: "public",
    make: password,
    removed: [
      ...across(
        ["CREATE USER jo @;", "ALTER USER jo @", "CREATE USER c##jo @ CONTAINER=ALL;", "GRANT ALL ON x.* TO jo @ WITH GRANT OPTION;"],
        [
          "IDENTIFIED BY '*'",
          'identified by "*"',
          "IDENTIFIED BY *",
          "IDENTIFIED WITH mysql_native_password BY '*'",
          "IDENTIFIED WITH caching_sha2_password AS '*'",
          "IDENTIFIED BY PASSWORD '*'",
        ],
      ),
      ...across(
        ["CREATE ROLE jo LOGIN @", "ALTER ROLE jo WITH @;", "CREATE LOGIN jo WITH @", "-- run this:\nALTER LOGIN jo WITH @"],
        ["PASSWORD '*'", "ENCRYPTED PASSWORD '*'", "PASSWORD = '*'"],
      ),
    ],
    kept: [
      "a user identified by email",
      "identified by their number",
      "CREATE USER jo IDENTIFIED BY '<password>';",
      "IDENTIFIED EXTERNALLY",
      "objects identified by uuid",
      "the row identified by key",
      "identified with certainty",
      "Reset your SQL password",
      "PASSWORD NULL",
    ],
  },
  {
    // Versions, types of key and line ends: all that the format has.
    name: "keys of PuTTY",
    from: "public",
    make: (random) => random.text(64, mixed),
    removed: ["ssh-rsa", "ssh-dss", "ssh-ed25519", "ssh-ed448", "ecdsa-sha2-nistp256"].flatMap((type) =>
      ["2", "3"].flatMap((version) =>
        ["none", "aes256-cbc"].flatMap((encryption) =>
          ["\n", "\r\n"].map((end) =>
            [
              `PuTTY-User-Key-File-${version}: ${type}`,
              `Encryption: ${encryption}`,
              "Comment: jo",
              "Public-Lines: 1",
              "AAAAC3NzaC1lZDI1NTE5AAAAIBx",
              "Private-Lines: 1",
              "*",
              "Private-MAC: 0123456789abcdef",
            ].join(end),
          ),
        ),
      ),
    ),
    kept: ["Public-Lines: 1\nAAAAC3NzaC1lZDI1NTE5AAAAIBx", "Private-Lines: how many lines follow", "PuTTY-User-Key-File-3: ssh-rsa"],
  },
  {
    name: "addresses of Telegram bots",
    from: "public",
    make: (random) => `71${random.text(8, digits)}:AA${random.text(33, mixed)}`,
    removed: across(
      [
        "https://api.telegram.org/bot*/@",
        "curl -s https://api.telegram.org/bot*/@?chat_id=1",
        "[x](https://api.telegram.org/bot*/@)",
        '{"url":"https://api.telegram.org/bot*/@"}',
      ],
      [
        "getMe",
        "getUpdates",
        "sendMessage",
        "sendPhoto",
        "setWebhook",
        "deleteWebhook",
        "getFile",
        "sendDocument",
        "answerCallbackQuery",
        "getChat",
      ],
    ),
    kept: ["https://api.telegram.org/bot<token>/getMe", "https://t.me/some_bot", "https://core.telegram.org/bots/api"],
  },
  {
    name: "cookies in tables",
    from: "public",
    make: (random) => `${random.text(3, small)}7${random.text(20, small + digits)}9k`,
    removed: across(
      [
        "Name\tValue\tDomain\n@\t*\t.shop.example",
        "| Name | Value |\n|---|---|\n| @ | * |",
        "@\t*\tshop.example\t/\tSession",
        "@,*,.shop.example,/",
      ],
      [
        "PHPSESSID",
        "JSESSIONID",
        "connect.sid",
        "laravel_session",
        "sessionid",
        "ASP.NET_SessionId",
        "_shop_session",
        "session_token",
        "sid",
        "__Secure-session-id",
      ],
    ),
    kept: [
      "Name\tValue\nlang\ten-GB",
      "| Cookie | Purpose |\n|---|---|\n| PHPSESSID | keeps the session |",
      "JSESSIONID\tSession cookie of Java servers",
    ],
  },
  {
    name: "JSON Web Tokens in base64",
    from: "public",
    make: wrappedJwt,
    removed: across(
      ["@*", "@'*'", '@"*"', "x @* y"],
      ["", "token: ", "JWT_B64=", "data: ", "Authorization: ", "kubeconfig token ", "value=", "id_token := ", "> ", "- "],
    ),
    kept: [base64("eyJ is how a token starts, says the manual of the library"), "ZXlK", base64('{"a":1,"b":[2,3],"c":"nothing to see"}')],
  },
  {
    name: "keys with the mark of their vendor",
    from: "public",
    make: (random) => `${random.text(38, hex)}7a`,
    removed: across(
      ["use @*", "@*", '"@*"', "key: @*", "KEY=@*", "| key | @* |", "curl -H 'x-key: @*'", "(@*)", "key\n@*", "- @*"],
      ["sgp_", "sgp_local_", joined("sbp", "_"), joined("sbp", "_v0_")],
    ),
    kept: ["sgp_test", "sbp_v0_", "the sgp_ mark starts a token", "sgp_local_dev_server"],
  },
  ...(
    [
      ["LlamaIndex", "llx", (random: Random) => `llx-${random.text(46, mixed)}7a`],
      ["Postman", "PMAT", (random: Random) => `PMAT-${random.text(25, letters + digits)}7`],
    ] as const
  ).map(([vendor, mark, make]): Family => ({
    name: `keys of ${vendor}`,
    from: "public",
    make,
    removed: [
      ...across(
        ["@: *", "@\n*", "@\n\n*", "@\t*\tactive", "Name\t@\nci\t*", "| Name | @ |\n|---|---|\n| ci | * |", "* (@)", "Name,@\nci,*"],
        ["Key", `${vendor} key`, "Value"],
      ),
      '{"k":"*"}',
      '"{\\"k\\":\\"*\\"}"',
      "k=*",
      "export K='*'",
      "<dt>Key</dt><dd>*</dd>",
      "<b>Key</b><i>*</i>",
      "Paste * into the form.",
      "(*)",
      "`*`",
      "https://a.example/?k=*&p=1",
      "curl -H 'X-Key: *' a.example",
      "# * is the old one",
    ],
    kept: [
      `${mark}-`,
      `${mark}-test`,
      `${mark}-12345678`,
      `the mark ${mark}- starts a key`,
      `${mark}-key-of-the-house-that-stands-by-the-old-mill-pond`,
      `see ${mark}-2024-annual-report-of-the-board.pdf`,
      `${mark}_REGION=eu-west-1`,
      `git checkout ${mark}-482-fix-the-parser`,
    ],
  })),
  {
    name: "secret keys of AWS that begin with a slash",
    from: "public",
    make: (random) => `/${random.text(20, mixed)}+${random.text(17, mixed)}7`,
    removed: [
      ...across(
        ["@=*", "@ = *", '@="*"', "@: '*'", '"@": "*"', "@\t*", "@\n*", "| @ | * |"],
        ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "secretAccessKey", "SecretAccessKey", "aws_secret_key"],
      ),
      "aws configure set aws_secret_access_key *",
    ],
    kept: [
      "aws_secret_access_key = /etc/aws/secret",
      "secretAccessKey: /path/to/key.pem",
      "SecretAccessKey=/run/secrets/aws_secret_access_key_of_prod",
    ],
  },
  {
    name: "secrets behind the name of their vendor",
    from: "public",
    make: token,
    removed: across(
      ["@: *", "@ = *", "@\t*", '"@": "*"', "| @ | * |"],
      ["Algolia", "Datadog", "Twilio", "SendGrid", "Okta", "Mixpanel", "New Relic", "Cloudinary", "Netlify", "Deepgram"],
    ),
    kept: [
      ...across(["@ is down since 10:30", "We moved to @ in 2024", "@: a review"], ["Algolia", "Datadog", "Twilio"]),
      "Netlify: https://app.example.net/sites/blog-2024",
      "Sentry 24.10.0",
    ],
  },
  {
    name: "passwords behind short names",
    from: "public",
    make: password,
    removed: [
      ...across(
        ["@*", "login @*", "ID:jo/@*", "ID: jo, @*", "user=jo;@*"],
        ["PSWD:=", "pswd: ", "PW:", "pw: ", "Pwd=", "PWD:", "Pass: ", "PSW: "],
      ),
      "ID\tPW\njo\t*",
      "| ID | PW |\n|---|---|\n| jo | * |",
    ],
    kept: ["PW: see the note", "ID: jo/PW: ask", "pwd: /home/jo", "the pw is short", "PSWD:= <password>"],
  },
  {
    name: "phones in national notation behind their words",
    from: "filtered",
    make: (random) => `0${random.text(2, "235789")} ${random.text(3, "23456789")} ${random.text(2, digits)} ${random.text(2, digits)}`,
    removed: across(
      ["@ *", "@: *", "| @ | * |", "Anna Muster, @ *"],
      ["Natel", "HP", "Handy", "Mobil", "Tel.", "Téléphone", "Móvil", "Cell", "Celular", "Telefono", "Тел.", "携帯"],
    ),
    kept: ["HP: 4711 points", "HP 250 G9", "Natel was a network", "HP: 120/200", "Mobil: 12 pages", "Tel.: see below"],
  },
  {
    name: "addresses of wallets",
    from: "filtered",
    make: (random) => `0x${random.text(20, hex)}a7${random.text(18, hex)}`,
    removed: across(
      ["@: *", "@ *", "@\n*", "| @ | * |", '{"@":"*"}'],
      [
        "Wallet",
        "wallet address",
        "ETH address",
        "Ethereum address",
        "Deposit address",
        "USDT address",
        "Адрес кошелька",
        "钱包地址",
        "Wallet-Adresse",
      ],
    ),
    kept: [
      joined("0x", "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"),
      "wallet: brown leather",
      "commit 5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    ],
  },
];

const levels: readonly PrivacyLevel[] = ["public", "private", "filtered"];

describe.each(families)("$name", ({ from, make, removed, kept }) => {
  test("has at least 40 cases", () => {
    expect(new Set([...removed, ...kept]).size).toBeGreaterThanOrEqual(40);
  });

  test.each(removed)("removes the value from %j", (text) => {
    const value = make(seeded(text.length));
    const at = text.lastIndexOf("*");
    const whole = text.slice(0, at) + value + text.slice(at + 1);
    for (const level of levels.slice(levels.indexOf(from))) {
      const once = redactText(whole, level).text;
      expect(once).not.toContain(value.slice(-12));
      expect(redactText(once, level).text).toBe(once);
    }
  });

  test.each(kept)("keeps %j", (text) => {
    expect(redactText(text, from).text).toBe(text);
  });
});
