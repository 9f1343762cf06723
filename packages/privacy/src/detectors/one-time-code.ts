import type { Detector, Report } from "../detector.js";
import { startsWord } from "../text/word-index.js";

const codeWords = [
  "otp",
  "one-time code",
  "one time code",
  "one-time password",
  "one time password",
  "one-time passcode",
  "verification code",
  "security code",
  "authentication code",
  "confirmation code",
  "login code",
  "sign-in code",
  "access code",
  "2fa code",
  "mfa code",
  "passcode",
  "auth code",
  "sms code",
  "your code",
  "g-",
  "bestätigungscode",
  "sicherheitscode",
  "einmalpasswort",
  "code de vérification",
  "code de sécurité",
  "código de verificación",
  "codice di verifica",
  "código de verificação",
  "verificatiecode",
  "验证码",
  "認証コード",
  "인증번호",
];
const cardWords = ["cvv2", "cvv", "cvc", "cvc2", "card verification", "card security code", "security code"];
const pinWords = ["pin code", "pin number", "pincode", "pin", "geheimzahl", "code pin", "código pin"];
const anchors = [...codeWords, ...cardWords, ...pinWords];

/** What may stand between the name and the code, then the code: digits, perhaps in two groups. */
const shortCode =
  /["'`*)]{0,2}[ \t]{0,3}(?:number|no\.?|code)?[ \t]{0,2}(?:[:=]|is:?|was|ist|lautet|es|est|è|为|為|は)[ \t]{0,3}["'`*]{0,3}([0-9]{4,8}|[0-9]{3}[ -][0-9]{3})(?![0-9A-Za-z.,]?[0-9A-Za-z])/dy;
const verificationValue =
  /["'`*)]{0,2}[ \t]{0,3}(?:number|no\.?|code)?[ \t]{0,2}(?:[:=]|is:?)[ \t]{0,3}["'`*]{0,3}([0-9]{3,4})(?![0-9A-Za-z.,]?[0-9A-Za-z])/dy;
/** `cvv 123`: three digits right after it are no year and no count. */
const bareVerification = /[ \t]{1,3}([0-9]{3})(?![0-9A-Za-z.,]?[0-9A-Za-z])/dy;
/** `123456 is your verification code`, `use 123456 as your login code`: the code comes first. */
const codeFirst =
  /(?<![0-9A-Za-z.,-])([0-9]{4,8}|[0-9]{3}[ -][0-9]{3}) (?:is|as|ist|als|est|es|è) (?:your|the|ihr|dein|votre|ton|tu|su|il tuo) (?:[A-Za-z]{1,20} ){0,2}$/d;
/** Codes of Google come as `G-123456`. */
const googleCode = /[0-9]{6}(?![0-9A-Za-z-])/y;

/** One-time codes, card verification values and PINs, by the words before or after them (no code has a shape of its own). */
export const oneTimeCode: Detector = {
  kind: "one_time_code",
  alsoFinds: ["cvv", "pin"],
  tier: "floor",
  anchors,
  find({ text }, hits, report) {
    hits.starts.forEach((at, index) => {
      const anchor = hits.anchors[index] ?? 0;
      if (!startsWord(text, at)) return;
      const word = anchors[anchor] ?? "";
      const end = at + word.length;
      if (word === "g-") {
        googleCode.lastIndex = end;
        if (googleCode.test(text) && /code|verif/i.test(text.slice(Math.max(0, at - 60), end + 60))) report(end, end + 6, "google");
      } else if (anchor < codeWords.length) {
        value(text, end, shortCode, (from, to) => report(from, to, "code"));
        before(text, at, report);
      } else {
        const isCard = anchor < codeWords.length + cardWords.length;
        if (isCard) value(text, end, bareVerification, (from, to) => report(from, to, "card-verification", "cvv"));
        value(text, end, isCard ? verificationValue : shortCode, (from, to) =>
          report(from, to, isCard ? "card-verification" : "pin", isCard ? "cvv" : "pin"),
        );
      }
    });
  },
};

function value(text: string, end: number, shape: RegExp, found: (from: number, to: number) => void): void {
  shape.lastIndex = end;
  const [from, to] = shape.exec(text)?.indices?.[1] ?? [];
  if (from !== undefined && to !== undefined) found(from, to);
}

function before(text: string, at: number, report: Report): void {
  const from = Math.max(0, at - 80);
  const indices = codeFirst.exec(text.slice(from, at))?.indices?.[1];
  if (indices !== undefined) report(from + indices[0], from + indices[1], "code-first");
}
