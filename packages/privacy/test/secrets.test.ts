import { describe, expect, test } from "vitest";
import { explain, redactText } from "../src/index.js";
import { joined } from "./detector-table.js";
import { digits, hex, letters, type Random, seeded, small } from "./layouts/random.js";

const mixed = letters + small + digits;
const password = (random: Random) => `${random.text(4, small)}7${random.text(3, letters)}!${random.text(2, digits)}`;
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const jwt = (random: Random) =>
  [base64url('{"alg":"HS256","typ":"JWT"}'), base64url(`{"sub":"${random.text(8, digits)}"}`), random.text(43, mixed)].join(".");

/** What goes, and texts that hold it as `*`. */
const families: ReadonlyArray<readonly [name: string, make: (random: Random) => string, texts: readonly string[]]> = [
  [
    "passwords of SQL",
    password,
    [
      "CREATE USER jo IDENTIFIED BY '*';",
      'ALTER USER jo IDENTIFIED BY "*"',
      "create user jo identified by *;",
      "CREATE USER 'jo'@'%' IDENTIFIED WITH caching_sha2_password BY '*';",
      "GRANT ALL ON x TO jo IDENTIFIED BY '*'",
      "CREATE ROLE jo LOGIN PASSWORD '*'",
      "ALTER ROLE jo WITH ENCRYPTED PASSWORD '*';",
      "SET PASSWORD FOR jo = PASSWORD('*');",
      "CREATE LOGIN jo WITH PASSWORD = '*';",
      "CREATE DATABASE LINK x CONNECT TO jo IDENTIFIED BY *",
    ],
  ],
  [
    "passwords behind short names",
    password,
    [
      "PSWD:=*",
      "pswd: *",
      "ID:jo/PW:*",
      "ID: jo / PW: *",
      "login/pass: jo/*",
      "user:jo pass:*",
      "User=jo;Pwd=*;",
      "Username: jo\nPassword: *",
      "uid=jo;pwd=*",
      "PASS=*",
      "jo's pw is *",
      "creds: jo / *",
    ],
  ],
  [
    "keys of Wi-Fi codes",
    password,
    [
      "WIFI:T:WPA;S:Home;P:*;;",
      "WIFI:S:Home;T:WPA2;P:*;H:false;;",
      "WIFI:P:*;S:Home;T:WEP;;",
      "Wi-Fi password: *",
      "WPA2 key: *",
      "WLAN-Schlüssel: *",
      "WLAN-Passwort: *",
      "Network key: *",
      "wpa_passphrase=*",
      'psk="*"',
      "Clé Wi-Fi : *",
      "Contraseña de la wifi: *",
    ],
  ],
  [
    "session cookies",
    (random) =>
      random
        .text(26, small + digits)
        .replace(/^./, "k")
        .replace(/.$/, "7"),
    [
      "PHPSESSID\t*",
      "| PHPSESSID | * |",
      "Cookie: PHPSESSID=*; theme=dark",
      "Set-Cookie: JSESSIONID=*; Path=/",
      "JSESSIONID\t*\t.example.com\t/",
      "connect.sid\t*",
      "Name\tValue\tDomain\nPHPSESSID\t*\t.example.com",
      "Name,Value\nASP.NET_SessionId,*",
      "laravel_session=*",
      "sessionid=*",
      "| sessionid | * | .example.com |",
      "document.cookie = 'sid=*'",
      "session_token: *",
    ],
  ],
  [
    "tokens of vendors",
    (random) => random.text(40, hex).replace(/.$/, "7"),
    ["sgp_local_*", "sgp_*", "SRC_ACCESS_TOKEN=*", joined("sbp", "_v0_*"), joined("sbp", "_*")],
  ],
  [
    "bots of Telegram",
    (random) => `${random.text(9, "123456789")}:AA${random.text(33, mixed)}`,
    ["https://api.telegram.org/bot*/sendMessage", "curl https://api.telegram.org/bot*/getMe", "TELEGRAM_TOKEN=*", "bot token *"],
  ],
  ["JWTs in base64", (random) => Buffer.from(jwt(random)).toString("base64"), ["auth *", "data: *", '{"x":"*"}', "x=*&y=1", "token\t*"]],
  [
    "secret keys of AWS",
    (random) => `/${random.text(20, mixed)}+${random.text(17, mixed)}7`,
    [
      "aws_secret_access_key = *",
      "AWS_SECRET_ACCESS_KEY=*",
      'AWS_SECRET_ACCESS_KEY="*"',
      "secretAccessKey: '*'",
      "Secret access key\t*",
      "Secret access key\n*",
      '"SecretAccessKey": "*"',
      "aws configure set aws_secret_access_key *",
    ],
  ],
  [
    "secrets behind the name of a vendor",
    (random) =>
      random
        .text(32, small + digits)
        .replace(/^./, "k")
        .replace(/.$/, "7"),
    [
      "Algolia: *",
      'datadog = "*"',
      "ALGOLIA=*",
      "Mixpanel: *",
      "twilio: *",
      "segment: '*'",
      "amplitude = *",
      "| Algolia | * |",
      "Heroku: *",
      "okta: *",
      'sendgrid: "*"',
      "Mapbox: *",
    ],
  ],
];

describe.each(families)("%s", (_, make, texts) => {
  test.each(texts)("go from %j at every level", (text) => {
    const random = seeded(text.length);
    for (const level of ["public", "private", "filtered"] as const) {
      const value = make(random);
      const once = redactText(text.replace("*", value), level).text;
      expect(once).not.toContain(value);
      expect(redactText(once, level).text).toBe(once);
    }
  });
});

test("a private key of PuTTY goes to its last line", () => {
  const line = seeded(5).text(64, mixed);
  const key = `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: jo\nPublic-Lines: 2\n${line}\n${line}\nPrivate-Lines: 1\n${line}\nPrivate-MAC: ${seeded(6).text(64, hex)}\nafter`;
  for (const level of ["public", "private", "filtered"] as const) {
    const { text } = redactText(key, level);
    expect(text).not.toContain(`Private-Lines: 1\n${line.slice(0, 8)}`);
    expect(text).not.toContain(seeded(6).text(64, hex));
    expect(text.endsWith("\nafter")).toBe(true);
  }
});

test.each([
  "SELECT password FROM users WHERE id = 7",
  "identified by the police",
  "IDENTIFIED BY VALUES",
  "wifi: available in the lobby",
  "WIFI:T:nopass;S:Guest;;",
  "ID: 7 / PW: see mail",
  "PHPSESSID is the name of the cookie",
  "| sessionid | string | the id |",
  "Algolia: search for developers",
  "datadog = require('datadog-metrics')",
  "segment: 10mm long and 20mm wide",
  "twilio: 4.7.2",
  "Heroku: https://www.heroku.com/platform",
  "sgp_test",
  "aws_secret_access_key = /etc/aws/secret",
  "secretAccessKey: /path/to/key.pem",
  "PuTTY-User-Key-File is the first line of such files",
  "network key figures for 2024: 12 nodes",
])("keeps %j", (text) => {
  expect(explain(text, "private")).toEqual([]);
});
