import type * as schemas from "@periscope/schemas";
import { assertType, describe, expectTypeOf, test } from "vitest";
import type * as z from "zod/mini";
import {
  AbortedError,
  ApiError,
  type BatchOutcome,
  type Call,
  ConnectionError,
  type Context,
  type CurrentQuery,
  type DeleteConditions,
  type HistoryItem,
  type HistoryPage,
  type HistoryQuery,
  type NewMessage,
  NotFoundError,
  type Paged,
  Periscope,
  PeriscopeError,
  type RateLimit,
  RateLimitError,
  type SearchHit,
  type SearchPage,
  type SearchQuery,
  type SyncReceipt,
} from "./index.js";

declare const periscope: Periscope;

describe("results", () => {
  test("have the types of the contract", () => {
    expectTypeOf(periscope.current()).resolves.toEqualTypeOf<Context | null>();
    expectTypeOf(periscope.get("id")).resolves.toEqualTypeOf<Context>();
    expectTypeOf(periscope.sync({ type: "heartbeat" })).toEqualTypeOf<Call<SyncReceipt>>();
    expectTypeOf(periscope.syncAll([])).resolves.toEqualTypeOf<BatchOutcome>();
    expectTypeOf(periscope.delete("id")).resolves.toEqualTypeOf<{ deleted: boolean }>();
    expectTypeOf(periscope.current().withResponse()).resolves.toHaveProperty("rateLimit").toEqualTypeOf<RateLimit | null>();
    expectTypeOf(periscope.current().asResponse()).resolves.toEqualTypeOf<Response>();
    expectTypeOf(periscope.with({ maxRetries: 0 })).toEqualTypeOf<Periscope>();
    expectTypeOf(periscope.baseUrl).toEqualTypeOf<string>();
    expectTypeOf<BatchOutcome["throwIfFailed"]>().returns.toEqualTypeOf<BatchOutcome>();
  });

  test("are pages when awaited, and items when iterated", async () => {
    expectTypeOf(periscope.search("lamp")).toEqualTypeOf<Paged<SearchHit, SearchPage>>();
    for await (const item of periscope.history()) expectTypeOf(item).toEqualTypeOf<HistoryItem>();
    const page = await periscope.search("lamp");
    expectTypeOf(page.items).toEqualTypeOf<readonly SearchHit[]>();
    expectTypeOf(await page.next()).toExtend<SearchPage | null>();
    expectTypeOf(periscope.history()).toEqualTypeOf<Paged<HistoryItem, HistoryPage>>();
    expectTypeOf(periscope.search("lamp").toArray({ limit: 9 })).resolves.toEqualTypeOf<SearchHit[]>();
    // @ts-expect-error A list can be very long: the limit must be given.
    void periscope.history().toArray();
  });

  test("may be absent, and the types say so", async () => {
    const context = await periscope.current();
    expectTypeOf(context).toBeNullable();
    // @ts-expect-error There may be no context.
    void context.title;
  });
});

describe("input", () => {
  test("is what the contract takes", () => {
    type Given<T> = { [K in keyof T]: Exclude<T[K], Date> };
    expectTypeOf<keyof HistoryQuery>().toEqualTypeOf<keyof z.input<typeof schemas.HistoryQuery>>();
    expectTypeOf<keyof SearchQuery>().toEqualTypeOf<keyof z.input<typeof schemas.SearchQuery>>();
    expectTypeOf<keyof CurrentQuery>().toEqualTypeOf<keyof z.input<typeof schemas.CurrentQuery>>();
    expectTypeOf<Required<Given<HistoryQuery>>>().toExtend<Required<z.input<typeof schemas.HistoryQuery>>>();
    expectTypeOf<Required<Given<SearchQuery>>>().toExtend<Required<z.input<typeof schemas.SearchQuery>>>();
    expectTypeOf<schemas.ItemMessage>().toExtend<NewMessage>();
    type Conditions = z.input<typeof schemas.DeleteMany>["where"];
    expectTypeOf<keyof DeleteConditions>().toEqualTypeOf<keyof Conditions>();
    expectTypeOf<Given<DeleteConditions>>().toExtend<Conditions>();
    assertType<DeleteConditions>({ startTime: new Date(), endTime: "2026-01-31T12:34:56Z" });
  });

  test("that is wrong does not compile", () => {
    // @ts-expect-error No such type of context.
    void periscope.history({ type: "video" });
    // @ts-expect-error A create needs its context.
    void periscope.sync({ type: "create" });
    // @ts-expect-error A batch is what syncAll makes.
    void periscope.sync({ type: "batch", messages: [] });
    // @ts-expect-error A number is no key.
    void new Periscope({ apiKey: 7 });
    assertType<NewMessage>({ type: "delete", payload: { context: { id: "x" } } });
    void periscope.with({ apiKey: async () => await Promise.resolve("key") });
  });
});

test("errors are told apart step by step, and what is left keeps its type", () => {
  const thrown: unknown = undefined;
  if (!PeriscopeError.is(thrown)) return;
  expectTypeOf(thrown.requestId).toEqualTypeOf<string | null>();
  if (ConnectionError.is(thrown) || AbortedError.is(thrown)) return;
  expectTypeOf(thrown).toEqualTypeOf<PeriscopeError>();
  if (!ApiError.is(thrown)) return;
  expectTypeOf(thrown.status).toEqualTypeOf<number>();
  if (NotFoundError.is(thrown)) return;
  expectTypeOf(thrown).toEqualTypeOf<ApiError>();
  if (RateLimitError.is(thrown)) expectTypeOf(thrown.resetAt).toEqualTypeOf<Date | null>();
});
