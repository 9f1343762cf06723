import type { NewMessage } from "./message.js";
import type { Head } from "./rows.js";
import type { StoreTransaction } from "./store.js";

const turnsPerMinute = 60;
const minute = 60_000;
/** Turns further ahead are those of a clock that was set back. */
const aheadMax = 10 * minute;

/** Key of the `state` row that holds the turns of the last minute and those that were given for later. */
export const turnsKey = "turns";

interface Turn {
  site: string;
  at: number;
}

/** The registrable part of a host, close enough without the public suffix list (47 KB after gzip). IP addresses do not match. */
const domain = /[^.]+\.(?:(?:ac|co|com|edu|gov|net|or|org)\.[a-z]{2}|[a-z][^.]*)$/;

export interface Source {
  /** What its turns are counted by. Not the whole host: a page can have as many hosts as it likes below a domain of its own. */
  site: string;
  /** Equal for contexts of which the newest is enough while they wait for a turn. */
  mergeKey: string;
}

export function sourceOf(message: NewMessage): Source | undefined {
  if (message.type !== "create") return undefined;
  const { tabId, type, tabMetadata } = message.payload.context;
  const host = URL.canParse(tabMetadata.url) ? new URL(tabMetadata.url).hostname.replace(/\.$/, "") : "";
  const site = domain.exec(host)?.[0] ?? host;
  return { site, mergeKey: `turn ${site} ${tabId} ${type}` };
}

/**
 * The next turn of a site: what holds its next context back, if anything does, and how to take it. Turns are on disk, so that a new worker goes on
 * counting; old ones go when one is taken.
 */
export async function nextTurn(
  tx: StoreTransaction,
  { site, mergeKey }: Source,
  now: number,
): Promise<{ held: Pick<Head, "mergeKey" | "wait"> | undefined; take: () => Promise<void> }> {
  const stored = await tx.get("state", turnsKey);
  const turns = ((Array.isArray(stored) ? stored : []) as Turn[]).filter(({ at }) => at > now - minute && at < now + aheadMax);
  const own = turns.filter((turn) => turn.site === site).map(({ at }) => at);
  const before = own.toSorted((one, other) => one - other).at(-turnsPerMinute);
  const at = before === undefined ? now : before + minute;
  return {
    held: at > now ? { mergeKey, wait: { until: at, ms: at - now } } : undefined,
    take: () => tx.put("state", [...turns, { site, at }], turnsKey),
  };
}
