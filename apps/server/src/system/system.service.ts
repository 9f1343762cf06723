import { statfs } from "node:fs/promises";
import type { SettingInForce } from "../config/config.js";
import type { Clock } from "../deps.js";
import { DomainError } from "../domain-error.js";
import { toTimestamp } from "../formats.js";

/** One thing that was looked at. */
export interface Finding {
  isOk: boolean;
  /** What was looked at, and how it is. */
  text: string;
}

/** How an installation runs. */
export interface SystemOverview {
  version: string;
  nodeVersion: string;
  startedAt: string;
  /** Bytes of memory of this process. */
  memoryBytes: number;
  /** Seconds of processor time of this process. */
  processorSeconds: number;
  findings: Finding[];
  settings: readonly SettingInForce[];
}

export interface SystemServiceOptions {
  settings: readonly SettingInForce[];
  /** The database as it may be shown. */
  place: string;
  /** Where the data is, when it is on this machine. */
  dataDir: string | null;
  /** What is wrong with how the server is reached. */
  warning: string | undefined;
  /** Rejects when the database cannot be read and written. */
  ping: () => Promise<void>;
  version: string;
  clock: Clock;
}

/** What the owner sees of the server itself. */
export type SystemService = ReturnType<typeof createSystemService>;

const freeBytesMin = 256 * 1024 * 1024;

export function createSystemService({ settings, place, dataDir, warning, ping, version, clock }: SystemServiceOptions) {
  const startedAt = toTimestamp(clock());

  async function checkDatabase(): Promise<Finding> {
    try {
      await ping();
      return { isOk: true, text: `The database ${place} can be read and written.` };
    } catch (error) {
      return { isOk: false, text: error instanceof DomainError ? error.message : `The database ${place} cannot be used.` };
    }
  }

  async function checkSpace(directory: string): Promise<Finding> {
    const { bavail, bsize } = await statfs(directory);
    const mebibytes = Math.floor((bavail * bsize) / 1024 / 1024);
    const isOk = bavail * bsize >= freeBytesMin;
    return { isOk, text: `${mebibytes} MiB are free on the disk of the data.${isOk ? "" : " The server needs about 256 MiB to work in."}` };
  }

  return {
    async overview(): Promise<SystemOverview> {
      const { user, system } = process.cpuUsage();
      return {
        version,
        nodeVersion: process.versions.node,
        startedAt,
        memoryBytes: process.memoryUsage.rss(),
        processorSeconds: (user + system) / 1e6,
        findings: [
          await checkDatabase(),
          ...(dataDir === null ? [] : [await checkSpace(dataDir)]),
          ...(warning === undefined ? [] : [{ isOk: false, text: warning }]),
        ],
        settings,
      };
    },
  };
}
