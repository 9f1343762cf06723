import { setTimeout as wait } from "node:timers/promises";
import { unavailable } from "../domain-error.js";
import type { UserChanges, UserDataStore, UserState, WantedRows } from "./context.store.js";

/** Times that changes are made again because others changed the user's data meanwhile, with growing waits between. */
const attemptsMax = 50;
const waitMsMax = 50;

/** The outcome of a change; without `changes`, there is nothing to write. */
interface ChangeOutcome<Result> {
  result: Result;
  changes?: Omit<UserChanges, "revision">;
}

/** No changes, to be completed by those that there are. */
export const noChanges = { created: [], replaced: [], viewed: [], removed: [], revived: [], processed: [], extensions: [], errors: [] };

/**
 * Changes what is stored of a user, in the way of {@link UserDataStore}: loads what is wanted, makes the changes and commits them, and
 * does that again when the user's data has changed meanwhile. Throws `unavailable` when it never stops changing.
 * @param work given null when there is no such user. It may run more than once; undefined asks for another attempt
 */
export async function changeUserData<Result>(
  store: Pick<UserDataStore, "load" | "commit">,
  userId: string,
  wanted: WantedRows,
  work: (state: UserState | null) => Promise<ChangeOutcome<Result> | undefined>,
): Promise<Result> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const state = await store.load(userId, wanted);
    const outcome = await work(state);
    if (outcome) {
      const { result, changes } = outcome;
      if (!state || !changes || (await store.commit(userId, { ...changes, revision: state.revision }))) return result;
    }
    await wait(Math.min(10 * (attempt + 1), waitMsMax) * Math.random());
  }
  throw unavailable("Other requests keep changing this user's data; try again shortly.", 1);
}
