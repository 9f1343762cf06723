import { expect, test } from "vitest";
import type { ExtensionErrorRecord, ExtensionState, StoredContext } from "../contexts/context.store.js";
import { createPrivacyFilter, derived, type Filtered } from "./privacy-filter.js";

const filter = createPrivacyFilter({ denyList: ["Ada Lovelace"] }, "1");
const write = (_stored: Partial<StoredContext & ExtensionState & ExtensionErrorRecord>): void => {};

test("what has not passed the filter does not compile as something to be stored", () => {
  const text = "of Ada Lovelace";
  const kept = filter.reportText(text);
  write({ content: kept, title: kept, url: kept, message: kept, config: { json: kept, at: 0 } });
  // @ts-expect-error content has to be filtered
  write({ content: text });
  // @ts-expect-error a message has to be filtered
  write({ message: text });
  // @ts-expect-error settings have to be filtered
  write({ config: { json: JSON.stringify({ text }), at: 0 } });
  // @ts-expect-error what is put together anew has to be filtered anew
  write({ title: `${kept} ${text}` });
  // @ts-expect-error metadata has to be filtered
  write({ metadata: { note: text } });
  expect(kept).toBe("of [REDACTED:denied]");
});

test("the JSON of what is filtered counts as filtered, and nothing stays nothing", () => {
  const json: Filtered<string> = derived(filter.record({ note: "of Ada Lovelace" }), (record) => JSON.stringify(record));
  expect(json).toBe('{"note":"of [REDACTED:denied]"}');
  const none: null = derived(json, () => null);
  expect(none).toBeNull();
});

test("filters settings at private, the operator's minimum, or for a deny-list", () => {
  const text = "jo@mail.example, 4111 1111 1111 1111";
  expect(createPrivacyFilter({}, "1").record({ text })).toEqual({ text: "jo@mail.example, [REDACTED:card]" });
  expect(createPrivacyFilter({ minimumLevel: "filtered" }, "1").record({ text })).toEqual({ text: "[REDACTED:email], [REDACTED:card]" });
  expect(filter.record({ text })).toEqual({ text: "[REDACTED:email], [REDACTED:card]" });
  expect(createPrivacyFilter({ minimumLevel: "restricted" }, "1").record({ text })).toEqual({});
});

test("errors lose contact details whatever the minimum is", () => {
  const text = "mail to jo@mail.example or 415-555-0132 failed";
  const { reportText, reportRecord } = createPrivacyFilter({}, "1");
  expect(reportText(text)).toBe("mail to [REDACTED:email] or [REDACTED:phone] failed");
  expect(reportRecord({ details: [text] })).toEqual({ details: ["mail to [REDACTED:email] or [REDACTED:phone] failed"] });
  expect(createPrivacyFilter({ minimumLevel: "restricted" }, "1").reportText(text)).toBe("");
});

test("refuses an invalid policy, and names each policy and version differently", () => {
  expect(() => createPrivacyFilter({ detectorsOff: ["card"] }, "1")).toThrow(RangeError);
  const names = [{}, { minimumLevel: "private" as const }, { denyList: ["Ada"] }].map(
    (policy) => createPrivacyFilter(policy, "1").policyId,
  );
  expect(new Set([...names, createPrivacyFilter({}, "2").policyId]).size).toBe(4);
  expect(createPrivacyFilter({}, "1").policyId).toBe(names[0]);
});
