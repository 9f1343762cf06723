import type { Context, ContextType, HistoryItem } from "@periscope/schemas";
import type { KeyUses, ReadBounds } from "../access/access.store.js";
import { describeContext, toHistoryItem } from "../contexts/context.service.js";
import type { Trouble } from "../data/devices.service.js";
import type { Deps } from "../deps.js";
import { dayMs, toMillis, toTimestamp } from "../formats.js";
import { excerptTextOf } from "../search/plain-text.js";

/** What a person looks at, with the beginning of its text. */
export interface CurrentContext extends Omit<Context, "content" | "nextContentCursor"> {
  excerpt: string;
}

export interface Overview {
  current: CurrentContext | null;
  /** Newest first, without the current one. */
  recent: HistoryItem[];
  /** Contexts since the person's midnight, by kind; kinds without any are left out. */
  today: Partial<Record<ContextType, number>>;
  troubles: Trouble[];
}

const recentMax = 12;
const excerptChars = 400;
const troublesMax = 5;
const troubleMs = dayMs;

/**
 * What goes on, for the first page of the portal.
 * @param since midnight of the person's day
 */
export async function getOverview({ stores, clock }: Pick<Deps, "stores" | "clock">, scope: ReadBounds, since: string): Promise<Overview> {
  const { contexts, data } = stores;
  const [current, history, captures, errors] = await Promise.all([
    contexts.current(scope, {}),
    contexts.history(scope, { limit: recentMax + 1, offset: 0, knownTotal: 0 }),
    contexts.captures(scope, { since: toMillis(since) }),
    data.reportedErrors(scope.userId, clock() - troubleMs, troublesMax),
  ]);
  const today: Overview["today"] = {};
  for (const { type, count } of captures) today[type] = (today[type] ?? 0) + count;
  return {
    current: current && {
      ...describeContext(current),
      excerpt: excerptTextOf({ ...current, plainText: null })
        .slice(0, excerptChars)
        .toWellFormed(),
    },
    recent: history.contexts
      .filter(({ contextId }) => contextId !== current?.contextId)
      .slice(0, recentMax)
      .map(toHistoryItem),
    today,
    troubles: errors.map(({ occurredAt, ...error }) => ({ ...error, occurredAt: toTimestamp(occurredAt) })),
  };
}

export async function findFirstSteps(
  { stores, firstUses }: Pick<Deps, "stores" | "firstUses">,
  scope: ReadBounds,
): Promise<KeyUses & { extension: boolean }> {
  const [uses, newest] = await Promise.all([
    firstUses.find(scope.userId),
    stores.contexts.history(scope, { limit: 1, offset: 0, knownTotal: 0 }),
  ]);
  return { ...uses, extension: newest.contexts.length > 0 };
}

export const getStoredSize = ({ stores }: Pick<Deps, "stores">, { userId }: ReadBounds) => stores.data.storedSize(userId);
