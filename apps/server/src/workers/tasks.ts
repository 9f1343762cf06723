import type { FilteredItem, FilterTask } from "../contexts/filter-task.js";
import type { SearchTask } from "../storage/sqlite/search.js";
import type { FailedClosed } from "../privacy/privacy-filter.js";

/** What the server's worker threads do, by the names of the tasks. */
export type ServerTasks = {
  /** Searches the embedded database. */
  search: SearchTask;
  /** Filters and analyses what messages carry. */
  filter: { input: FilterTask; output: { filtered: FilteredItem[]; failures: FailedClosed[] } };
};
