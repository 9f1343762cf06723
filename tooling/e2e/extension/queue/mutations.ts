import type { QueueOptions } from "@periscope/sync/core";
import { mistakes } from "../../../../packages/sync/test/mutations.ts";
import type { Mutation } from "../../../../packages/sync/test/world.ts";

/** Mistakes that only show where there are files and a heap. */
const browserMutations: Record<string, Mutation> = {
  "stores before it filters": (options: QueueOptions): QueueOptions => ({
    ...options,
    async filter(message) {
      await options.store.write((tx) => tx.put("state", JSON.stringify(message), `unfiltered ${String(message.id)}`));
      return await options.filter(message);
    },
  }),
  "remembers all that it was given": (options: QueueOptions): QueueOptions => {
    const remembered: string[] = [];
    return {
      ...options,
      filter(message) {
        remembered.push(`${JSON.stringify(message)}${"x".repeat(500)}`);
        return options.filter(message);
      },
    };
  },
};

/** Queues that are worse than ours, each by one mistake: those that Node finds, and those that take a browser. */
export const mutations: Record<string, Mutation> = {
  ...Object.fromEntries(Object.entries(mistakes).map(([name, { mutate }]) => [name, mutate])),
  ...browserMutations,
};
