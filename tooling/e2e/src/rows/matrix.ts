import { killRows } from "./kills.ts";
import { machineRows } from "./machine.ts";
import { peopleRows } from "./people.ts";
import type { Row } from "./row.ts";
import { serviceRows } from "./service.ts";

/** The fault matrix in the browser. */
export const rows: readonly Row[] = [...killRows, ...machineRows, ...serviceRows, ...peopleRows];
