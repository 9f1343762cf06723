import { expect, test } from "vitest";
import { tsRankCd } from "./postgres-peer.ts";

test("ts_rank_cd finds any of the words by their stems, those in titles first, and nothing for no words", async () => {
  const docs = [
    { id: "text", title: "Birds", text: "An ouzel sings." },
    { id: "title", title: "Ouzels", text: "They sing." },
    { id: "other", title: "Fish", text: "Silent." },
  ];
  await using peer = await tsRankCd({ docs, queries: [], judgements: {} });
  expect(await peer.find("Which ouzels?")).toEqual(["title", "text"]);
  expect(await peer.find("?!")).toEqual([]);
});
