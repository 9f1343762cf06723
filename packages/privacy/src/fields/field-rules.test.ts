import { describe, expect, test } from "vitest";
import { passwordWords } from "../data/secret-words.js";
import { classifyField, namesPassword } from "./field-rules.js";

const field = { type: "text", name: "", label: "", autocomplete: "" };

describe("the words for passwords that text is searched by count in forms", () => {
  test.each(passwordWords)("%s as label and name", (word) => {
    expect(classifyField({ ...field, label: word })).toBe("removed");
    expect(classifyField({ ...field, label: `${word.toUpperCase()} *` })).toBe("removed");
    expect(classifyField({ ...field, name: `user_${word.replaceAll(" ", "_")}` })).toBe("removed");
  });
});

test.each([
  "Passwortbestätigung",
  "Neues Kennwort",
  "wachtwoordHerhalen",
  "新しいパスワード（確認）",
  "비밀번호확인",
  "Введите пароль",
  "Contrasen\u0303a",
  "Contrasena",
  "mot-de-passe",
])("%s is the name of a password", (name) => {
  expect(classifyField({ ...field, name })).toBe("removed");
  expect(namesPassword(name)).toBe(true);
});

test.each(["otp1", "otp6", "OTP_12", "cardNumber1", "card-number4", "ssn3", "pin1", "pwd1", "iban1", "neuesPasswort2", "cvv2", "2fa"])(
  "a numbered field is what the field is: %s",
  (name) => {
    expect(classifyField({ ...field, name })).toBe("removed");
    expect(classifyField({ ...field, label: name })).toBe("removed");
  },
);

test("an address has several lines", () => {
  for (const name of ["address1", "address_line2", "street2", "phone1"]) expect(classifyField({ ...field, name })).toBe("contact");
  for (const name of ["item1", "q2", "row12", "fa2", "pin2024"]) expect(classifyField({ ...field, name })).toBe("open");
});

test.each([
  "desenhar",
  "Passage",
  "Compass",
  "search",
  "Secretary",
  "Suche",
  "検索",
  "passing",
  "[REDACTED:password]",
  "[REDACTED:api_key] name",
])("%s is not", (label) => {
  expect(classifyField({ ...field, label })).toBe("open");
  expect(namesPassword(label)).toBe(false);
});
