/** What is asked, in the order of the tables. */
export const readKinds = [
  "current",
  "history",
  "history-deep",
  "search-rare",
  "search-common",
  "search-phrase",
  "search-url",
  "search-none",
] as const;
export type ReadKind = (typeof readKinds)[number];

/** Who asks whom: both users the service, the light one a store of its own besides, both raw SQL. */
export const readSides = ["heavy", "light", "light alone", "floor heavy", "floor light"] as const;
export type ReadSide = (typeof readSides)[number];

/** Contexts on a page of history. */
export const historyPage = 50;

/** Shares of a user's contexts that hold a word of the kind. */
export const frequencies = { rare: [0.0005, 0.003], common: [0.1, 1] } as const;
