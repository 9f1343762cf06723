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
      "Mot de passe de l'espace client : *",
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
      "[14:02] Ana: what's the router password?\n[14:02] Luis: one sec\n[14:05] Luis: *\n[14:06] Ana: thanks!",
      "12/03/2026, 18:41 - Lena: wie war das WLAN-Passwort?\n12/03/2026, 18:44 - Jonas: *\n12/03/2026, 18:45 - Lena: danke",
      "Priya\n  9:12 AM\nwhat's the password for staging?\nDan\n  9:14 AM\n*\nPriya\n  9:15 AM\nthanks",
      "<ada> which password do I need? sorry\n<ben> it's *",
    ],
  ],
  ["passwords in a list", password, ["Passwords:\nWi-Fi: *\nRouter: q8Zt!33kk\n", "Passwords\nRouter: q8Zt!33kk\nMail: *"]],
  [
    "passwords that end a sentence",
    (random) => `${random.text(5, small)}-${random.text(4, small)}-${random.text(2, digits)}`,
    [
      "The password for the guest network is *.",
      "das Passwort für das Gäste-WLAN lautet *",
      "le mot de passe du réseau invité est *, à bientôt",
      "La contraseña de la red de invitados es *.",
      "Пароль от гостевой сети: *",
      "Your password for the portal: *\nSee you soon",
    ],
  ],
  [
    "passwords with brackets",
    (random) => `${random.text(3, small)}7${random.pick(["(Kp]2}w", "(71)dus", "{12}Tor", "(a)b,c;9"])}`,
    ["[smtp]\nuser = app\npassword = *\nport = 25", "smtp_password: *", "Passwort: *\nviel Spaß", "DB_PASSWORD=*\n", "Portal password: *"],
  ],
  [
    "passwords in elements of their own",
    password,
    [
      "<Password><Value>*</Value><PlainText>true</PlainText></Password>",
      "<AdministratorPassword>\n  <Value>*</Value>\n</AdministratorPassword>",
      "<keyMaterial>*</keyMaterial>",
    ],
  ],
  [
    "keys of networks",
    password,
    [
      "Pre-shared key: *",
      "Pre-shared key (WPA/WPA2)\n*",
      "WLAN-Schlüssel (WPA2): *",
      '{"preSharedKey":"*"}',
      "Wi-Fi code: *",
      "pre_shared_key=*",
      "Wireless password/key: *",
      "Code Wi-Fi : *",
    ],
  ],
  ["values that only a style sets apart", password, ["User\nPassword*\nPort5432", "Contraseña*", "密码*\n修改时间2026"]],
  ["numbers that only a style sets apart", pin, ["Owner\nCard PIN*\nLast modified", "PIN*", "ПИН-код*\nда"]],
  [
    "keys of digits in groups",
    (random) => `9${random.text(3, "13579")} ${random.text(4, "13579")} ${random.text(4, "13579")} ${random.text(3, "13579")}4`,
    ["WLAN-Netzwerkschlüssel\n*\n", "WLAN-Schlüssel (WPA2): *", "Wi-Fi password: *"],
  ],
  [
    "codes that open something",
    pin,
    [
      "Door code: *",
      "Your code to enter the building: *",
      "The code for the front door is *.",
      "Lockbox code\n*",
      "Gate code #*",
      "Installer code: *",
      "Use door code *, then push.",
      "User code 3: *",
      "Pickup code: *\nLocker 17",
      "Abholcode: *",
      "Der Türcode ist *.",
      "Code de retrait : *",
      "Le code de la porte : B*",
      "Le code pour entrer dans l'immeuble est le *A.",
      "Código de recogida: *",
      "CÓDIGO DE LA PUERTA: *",
      "CODE À USAGE UNIQUE : *",
      "El código de la puerta es *.",
      "Name\tDoor code\nAna\t*",
      '{"pickupCode":"*"}',
      "Sofia 10:15\nWhat's the door code?\nBen 10:17\n*#\nSofia 10:17\nok",
    ],
  ],
  [
    "numbers in pairs and lists",
    pin,
    [
      "PIN1: *   PUK1: 10293847",
      "PUK1 48201934\nPIN2 *\n",
      "PINs: Visa *, Mastercard 9902",
      "PINs: Visa 9902, Mastercard *",
      "User PINs – Anna: 4471, Ben: *, Cleo: 3318",
      "Door codes: main 9902# / cellar *#",
      "PIN/PUK: * / 48201934",
      "Panel PIN codes\nInstaller: 1969\nUser 1: *\nUser 2: 7719\n\nZones: 8",
      "Door codes:\nFront door: *\nGarage: 9902\n",
      "PUK / PIN: 48201934 / *",
    ],
  ],
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
  "what's the wifi password?\nTom: ask the desk in room214",
  "how do I reset my password?\nTom: see https://help.example/reset2\nAda: thanks",
  "the password? String!\n  OR?: Prisma.AuthToken2Input[]",
  "# check credentials?\nexcept Problem as e:\n  self._HandleCommandException2(e)",
  "Who forgot the PIN?\nSept: 1844 people",
  "When was the security code changed?\n2024",
  "The password for the admin account is stored in Vault2",
  "The password for the archive is base64-encoded",
  "seconds to pass to httplib2",
  "[Pre-shared keys]: #pre-shared-keys",
  "Pre-shared key length: 2048",
  "password = (length > 8)",
  "password = hash(password2)",
  "password: [a-z0-9]{8,64}",
  "password=${PREFIX}x1",
  "password: Annotated[str,Len(8)]=None",
  "<Password><Value>string</Value></Password>",
  "<Field><Name>Password</Name><Value>Required</Value></Field>",
  "Pin 1 3300 mV\nPin 2 5000 mV",
  "PIN1 is VCC, PIN4 is connected to GPIO 1234",
  "2FA0\t8FB0\n2FA1\t9091",
  "The code to enter data is slow: 4471 ms",
  "door code 4471 of 9902",
  "Access codes are described in section 1204, page 9902",
  "Access codes\nSee section 1204\nand page 9902",
  "PINs:\nsee the letter\n\nOrders: 4471\nUsers: 9902",
  "Pre-shared keys: AES128, AES256",
  "Wi-Fi password: WPA2-PSK",
  "keys = [macsec.preSharedKeys = [key",
  "Door number 4471, gate 1204 opens at 9",
  "Door code compliance: EN 1125",
  "Pickup: 1400 Main Street",
  "Error codes: E4471, E9902",
  "Access codes: see the table, page 4",
  "PINs are four digits: 4 to 8 allowed",
  "The master branch has 4502 commits",
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
