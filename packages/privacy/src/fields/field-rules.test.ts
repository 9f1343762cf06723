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
