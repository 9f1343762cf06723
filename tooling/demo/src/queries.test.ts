import { expect, test } from "vitest";
import type { Page } from "./pages/page.ts";
import { queriesFor } from "./queries.ts";

const page = (title: string): Page => ({ url: "https://x.dev/", title, format: "html", content: "", truncated: false, origin: {} });

test("queries are rare words that stand together in a title", () => {
  const titles = ["Kernel handbook: installing packages", "Kernel handbook: network bridges", "Kernel handbook: printing quotas"];
  const pages = Array.from({ length: 30 }, (_, index) => page((index % 10 === 0 ? titles[index / 10] : undefined) ?? "Kernel handbook"));
  expect(queriesFor(pages)).toEqual(["network bridges", "printing quotas", "installing packages"]);
});

test("the same titles give the same queries; titles without words give none", () => {
  expect(queriesFor([page("v1.2.3"), page("42")])).toEqual([]);
});
