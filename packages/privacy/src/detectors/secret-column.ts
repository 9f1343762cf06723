import type { Detector } from "../detector.js";
import { tableColumns } from "../text/table-columns.js";
import { valueStrength } from "../text/value-strength.js";

const password =
  /(?:^|[ .-])(?:password|passwd|passwort|passphrase|pwd|pass|kennwort|mot de passe|contraseña|senha|wachtwoord|пароль|密码|パスワード)$/;
const secret = /(?:^|[ .-])(?:secret|token|api ?key|access ?key|secret ?key|private ?key|auth ?key|license ?key|credentials?)$/;
const lengthMin = 6;
const secretLengthMin = 16;

/** Passwords and secrets in the column of a table whose heading names them: lists of accounts, exports of password managers. */
export const secretColumn: Detector = {
  kind: "password",
  alsoFinds: ["secret"],
  tier: "floor",
  anchors: [
    "password",
    "passwd",
    "passwort",
    "passphrase",
    "pwd",
    "pass",
    "kennwort",
    "mot de passe",
    "contraseña",
    "senha",
    "wachtwoord",
    "пароль",
    "密码",
    "パスワード",
    "secret",
    "token",
    "key",
    "credential",
  ],
  find({ text }, hits, report) {
    tableColumns(
      text,
      hits,
      (heading) => (password.test(heading) ? "password" : secret.test(heading) ? "secret" : undefined),
      ({ start, end }, kind) => {
        const strength = valueStrength(text.slice(start, end), true);
        const isValue = kind === "password" ? strength >= 2 && end - start >= lengthMin : strength === 3 && end - start >= secretLengthMin;
        if (isValue) report(start, end, `column:${kind}`, kind);
      },
    );
  },
};
