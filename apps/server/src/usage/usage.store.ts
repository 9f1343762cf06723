/** What a request asks for: the budget that it is taken from, or `mcp`. */
export const usageKinds = ["sync", "batchSync", "read", "search", "delete", "mcp"] as const;
export type UsageKind = (typeof usageKinds)[number];

/** Requests of one kind that came with one key on one day. */
export interface UsageCount {
  /** Of UTC, counted from the epoch. */
  day: number;
  keyId: string;
  kind: UsageKind;
  requests: number;
  /** Those of them that were over the rate limit. */
  refused: number;
}

/** What keys were used for, by day. */
export interface UsageStore {
  /** Adds to what is stored of a user; without effect when the user is gone. */
  add(userId: string, counts: readonly UsageCount[]): Promise<void>;
  read(userId: string, sinceDay: number): Promise<UsageCount[]>;
  prune(beforeDay: number): Promise<void>;
}
