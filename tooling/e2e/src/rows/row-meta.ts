import type { RowResult } from "./row.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What a row of the matrix came to. */
    row?: RowResult;
  }
}
