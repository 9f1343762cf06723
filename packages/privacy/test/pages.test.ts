import { describe, expect, test } from "vitest";
import { explain, redactHtml, redactText } from "../src/index.js";
import { digits, letters, type Random, seeded, small } from "./layouts/random.js";

const password = (random: Random) => `${random.text(4, small)}7${random.text(3, letters)}!${random.text(2, digits)}`;
const code = (random: Random) => `${random.text(4, "123456789")}-${random.text(4, "123456789")}`;
const pin = (random: Random) => `4${random.text(3, "13579")}`;

/** What goes, and texts of pages that hold it as `*`. */
const removed: ReadonlyArray<readonly [name: string, make: (random: Random) => string, texts: readonly string[]]> = [
  [
    "passwords whose label goes on",
    password,
    [
      "Votre mot de passe provisoire est *. Changez-le.",
      "Tu contraseña inicial es *.",
      "La tua password iniziale è *. Cambiala.",
      "Sua senha inicial é *.",
      "Compte\tNom\tMot de passe provisoire\tVisite\nlm\tLucie\t*\tjamais",
      "| Usuario | Contraseña temporal | Visto |\n| --- | --- | --- |\n| ag | * | nunca |",
      "Utente,Password provvisoria\nsr,*",
      "Senha do Wi-Fi\t*",
      "Clé WPA\t*",
      "Ключ сети\t*",
      "MOT_DE_PASSE_SMTP=*",
      "PASSWORD_SMTP=*",
    ],
  ],
  [
    "passwords that answer a question",
    password,
    [
      "Ana: ¿cuál era la contraseña del wifi?\nLuis: *\nAna: gracias",
      "wie war das Passwort?\nMia: *",
      "what's the wifi password again?\n*\nthanks",
      "Оля: какой пароль от вайфая?\nДима: *",
      "小李：密码是多少？\n小王：*",
    ],
  ],
  ["values that only a style sets apart", password, ["User\nPassword*\nPort5432", "Contraseña*", "密码*\n修改时间2026"]],
  ["numbers that only a style sets apart", pin, ["Owner\nCard PIN*\nLast modified", "PIN*", "ПИН-код*\nда"]],
  [
    "numbers behind a button",
    pin,
    ["PIN\nCopy\n*", "Card PIN\tShow\t*", "Geheimzahl: Anzeigen *", "Code PIN\nAfficher\n*", "暗証番号\n表示\n*"],
  ],
  [
    "recovery codes below a sentence",
    (random) => `${code(random)}\n${code(random)}`,
    [
      "Save your backup codes\nKeep these somewhere safe. Each works once.\n*\nDone",
      "# Wiederherstellungscodes\n\nJeder Code gilt einmal.\n\n*",
      "Codes de secours\nChaque code ne sert qu'une fois.\n*",
      "Резервные коды\nКаждый код действует один раз.\n*",
      "备用验证码\n每个只能使用一次。\n*",
      "バックアップコード\n各コードは一度だけ使えます。\n*",
    ],
  ],
];

describe.each(removed)("%s", (_, make, texts) => {
  test.each(texts)("go from %j at every level", (text) => {
    for (const level of ["public", "private", "filtered"] as const) {
      const value = make(seeded(text.length));
      const once = redactText(text.replace("*", value), level).text;
      for (const part of value.split("\n")) expect(once).not.toContain(part);
      expect(redactText(once, level).text).toBe(once);
    }
  });
});

test.each([
  ["<div><label>PIN</label><button>Copy</button><code>4711</code></div>", "4711"],
  ["<dl><dt>Mot de passe provisoire</dt><dd>soleil-Vague!42</dd></dl>", "soleil-Vague!42"],
  ["<h1>Backup codes</h1><p>Each works once.</p><ul><li>1234-5678</li><li>8765-4321</li></ul>", "1234-5678"],
])("%s loses its secret", (html, value) => {
  expect(redactHtml(html, "public").html).not.toContain(value);
  expect(redactHtml(html, "filtered").html).not.toContain(value);
});

test.each([
  "PasswordAuthentication\nno",
  "PasswordHasher2",
  "password_min_length=12",
  "PASSWORD_HASHER=bcrypt",
  "CVC-120 engine",
  "PIN2 connects to ground",
  "Forgot your password?\nContact: support",
  "Which password?\nSee chapter12",
  "Password policy\tNIST800",
  "Le mot de passe oublié est un classique",
  "Backup codes\nYou have 8 left.\nCreated 12 October 2026",
  "Pin\nShow more\nabout it",
])("keeps %j", (text) => {
  expect(explain(text, "private")).toEqual([]);
});
