import { killRows } from "./kills.ts";
import { machineRows } from "./machine.ts";
import type { Row } from "./row.ts";
import { wireRows } from "./wire.ts";

/** The fault matrix in the browser. */
export const rows: readonly Row[] = [...killRows, ...machineRows, ...wireRows];
