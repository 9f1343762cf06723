import { expect, test } from "vitest";
import { redactText } from "./index.js";

test("an email address is kept in private content and removed in filtered content", () => {
  expect(redactText("write to jo@example.org", "private").text).toBe("write to jo@example.org");
  expect(redactText("write to jo@example.org", "filtered")).toEqual({ text: "write to [REDACTED:email]", redactions: { email: 1 } });
});
