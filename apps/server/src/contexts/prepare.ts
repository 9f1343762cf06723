import type { ItemMessage } from "@periscope/schemas";
import { unavailable } from "../domain-error.js";
import { type PrivacyFilter, tooComplex } from "../privacy/privacy-filter.js";
import { TaskTimeout, WorkerLost, type WorkerPool } from "../workers/worker-pool.js";
import { toCapture } from "./capture.js";
import { type FilteredCapture, type FilteredItem, type FilterItem, type FilterTask, kindOf, type WorkKind } from "./filter-task.js";
import type { AcceptedMessage } from "./intake.js";
import type { Failure } from "./outcome.js";

// Second step of a sync: filter and analyse what the messages carry, on worker threads; what is small at once.

/** The kind of what a message carries, where there is something to filter. */
interface Carried {
  create: "capture";
  update: "patch";
  config: "config";
  error: "report";
}

/** A message with all that can be worked out before the user's rows are read. */
export type PreparedOf<Type extends ItemMessage["type"]> = {
  ok: true;
  type: Type;
  extensionId: string;
  message: Extract<ItemMessage, { type: Type }>;
} & (Type extends keyof Carried ? { item: FilterItem<Carried[Type]>; filtered: FilteredItem<Carried[Type]> } : unknown);

export type Prepared = { [Type in ItemMessage["type"]]: PreparedOf<Type> }[ItemMessage["type"]];

/** A user's filter, run where it holds up nobody else. */
export interface BoundedFilter {
  filter: PrivacyFilter;
  /** Filters things. What takes more than 2 seconds of processor time by itself is withheld: `restricted`, or empty. */
  run<Kind extends WorkKind>(items: ReadonlyArray<FilterItem<Kind>>): Promise<Array<FilteredItem<Kind>>>;
}

/** Processor time for one context, and for a group of small ones. */
const cpuMsMax = 2_000;
/** Small contexts of a batch go to a thread together, up to this much text in UTF-16 units. */
const groupUnitsMax = 65_536;
/** Less than this is filtered at once: sending it to a thread would take longer. */
const inlineUnitsMax = 2_048;

export type FilterWorkers = Pick<WorkerPool<{ filter: FilterTask }>, "run">;

export interface BoundedFilterOptions {
  filter: PrivacyFilter;
  userId: string;
  pool: FilterWorkers;
}

export function createBoundedFilter({ filter, userId, pool }: BoundedFilterOptions): BoundedFilter {
  async function runTask(items: readonly FilterItem[]): Promise<FilteredItem[]> {
    const { filtered, failures } = await pool.run("filter", { filter: filter.recipe, items }, { userId, cpuMsMax });
    for (const failed of failures) filter.reportFailure(failed);
    return filtered;
  }

  /** A group that fails is run one by one, so that only the item at fault pays for it. */
  async function runGroup(items: readonly FilterItem[]): Promise<FilteredItem[]> {
    try {
      return await runTask(items);
    } catch (error) {
      if (!(error instanceof TaskTimeout) && !(error instanceof WorkerLost)) throw error;
      const [only] = items;
      if (!only || items.length > 1) return (await Promise.all(items.map((item) => runGroup([item])))).flat();
      if (error instanceof TaskTimeout || isOutOfMemory(error)) return [kindOf(only).withhold(only, filter)];
      return await runTask(items).catch((again: unknown) => {
        if (isOutOfMemory(again) || again instanceof TaskTimeout) return [kindOf(only).withhold(only, filter)];
        throw unavailable("The server could not process the contexts; try again shortly.", 1, again);
      });
    }
  }

  async function run(items: readonly FilterItem[]): Promise<FilteredItem[]> {
    if (items.reduce((sum, item) => sum + unitsOf(item), 0) <= inlineUnitsMax)
      return items.map((item) => kindOf(item).filter(item, filter));
    return (await Promise.all(groupBySize(items, groupUnitsMax, unitsOf).map(runGroup))).flat();
  }

  return { filter, run: run as BoundedFilter["run"] };
}

/**
 * Prepares messages concurrently; the results keep their order. A page that is not captured goes on: the message may be the replay of
 * one that was accepted before the policy refused it.
 */
export async function prepareMessages(
  messages: ReadonlyArray<AcceptedMessage | Failure>,
  bounded: BoundedFilter,
): Promise<Array<Prepared | Failure>> {
  const items = messages.map((each) => (each.ok ? toItem(each.message) : undefined));
  const filtered = (await bounded.run(items.filter((item) => item !== undefined))).values();
  return messages.map((each, index) => {
    if (!each.ok) return each;
    const item = items[index];
    return { ...each, type: each.message.type, item, filtered: item && filtered.next().value } as Prepared;
  });
}

function toItem(message: ItemMessage): FilterItem | undefined {
  switch (message.type) {
    case "create":
      return { kind: "capture", capture: toCapture(message.payload.context) };
    case "update": {
      const { context } = message.payload;
      return { kind: "patch", patch: context, level: context.privacyLevel ?? "private" };
    }
    case "config":
      return { kind: "config", config: message.payload.config };
    case "error":
      return { kind: "report", report: message.payload };
    case "delete":
    case "heartbeat":
      return undefined;
  }
}

/** Whether a capture was withheld for taking too long, so that its text cannot be compared with a recorded one. */
export function isTooComplex({ outcome }: FilteredCapture): boolean {
  return outcome.reasons.includes(tooComplex);
}

const unitsOf = (item: FilterItem): number => kindOf(item).units(item);

/** Items in their order, in groups of about a size; what is larger is alone. */
function groupBySize<Item>(items: readonly Item[], sizeMax: number, sizeOf: (item: Item) => number): Item[][] {
  const groups: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const group = groups.at(-1);
    if (group && size <= room) group.push(item);
    else groups.push([item]);
    room = (group && size <= room ? room : sizeMax) - size;
  }
  return groups;
}

function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof WorkerLost ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
}
