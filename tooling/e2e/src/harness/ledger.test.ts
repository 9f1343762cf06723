import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";
import type { Oracle, StoredContext } from "./oracle.ts";

/** A server that has these contents, and one outcome of every message. */
function serverWith(contents: readonly string[], outcomes = 1): Oracle {
  const place = {
    userId: "ada",
    type: "page",
    url: "",
    title: "",
    privacyLevel: "private",
    contextId: "",
    capturedAt: 0,
    viewedAt: null,
    metadata: "{}",
  };
  const contexts = contents.map((content): StoredContext => ({ ...place, content }));
  return { contexts: () => contexts, outcomesOf: () => outcomes, reports: () => [], [Symbol.dispose]: () => {} };
}

function ledgerOf(...outcomes: ("queued" | "blocked" | "unheard")[]): { ledger: Ledger; contents: string[] } {
  const ledger = new Ledger("F0.1");
  const contents = outcomes.map((outcome) => {
    const message = ledger.message();
    const kept = { queued: { status: "queued", id: "m" }, blocked: { status: "blocked", rule: "r" }, unheard: undefined } as const;
    ledger.note(message, kept[outcome]);
    return message.payload.context.content ?? "";
  });
  return { ledger, contents };
}

test("a queued message that the server lacks, has altered or knows nothing of is a loss", () => {
  const { ledger, contents } = ledgerOf("queued", "queued");
  expect(ledger.audit(serverWith(contents))).toEqual({ messages: 2, losses: 0, duplicates: 0 });
  expect(ledger.audit(serverWith(contents.slice(1)))).toMatchObject({ losses: 1 });
  expect(ledger.audit(serverWith([contents[0]!, `${contents[1]}!`]))).toMatchObject({ losses: 1, duplicates: 1 });
  expect(ledger.audit(serverWith(contents, 0))).toMatchObject({ losses: 2 });
});

test("a content that is there twice, or was never kept, is a duplicate; one that nobody heard of may be there once", () => {
  const { ledger, contents } = ledgerOf("queued", "blocked", "unheard");
  const [queued = "", blocked = "", unheard = ""] = contents;
  expect(ledger.audit(serverWith([queued]))).toEqual({ messages: 1, losses: 0, duplicates: 0 });
  expect(ledger.audit(serverWith([queued, unheard]))).toMatchObject({ duplicates: 0 });
  expect(ledger.audit(serverWith([queued, queued]))).toMatchObject({ duplicates: 1 });
  expect(ledger.audit(serverWith([queued, unheard, unheard]))).toMatchObject({ duplicates: 1 });
  expect(ledger.audit(serverWith([queued, blocked]))).toMatchObject({ duplicates: 1 });
});
