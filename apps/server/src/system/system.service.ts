import type { FilterPolicy } from "@periscope/privacy";
import type { SettingInForce } from "../config/config.js";
import type { Clock } from "../deps.js";
import { DomainError } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import type { Metrics } from "../metrics/metrics.js";
import { checkClock, checkDatabase, checkNode, checkPlaces, checkSettings, type Finding, policySummary } from "./findings.js";

export interface SystemServiceOptions {
  settings: readonly SettingInForce[];
  unknownSettings: readonly string[];
  privacyPolicy: FilterPolicy;
  privacyPolicyFile: string | null;
  place: string;
  dataDir: string;
  /** The file of the database, when it is on this machine. */
  file: string | undefined;
  /** What is wrong with how the server is reached. */
  warnings: readonly string[];
  /** Rejects when the database cannot be read and written. */
  ping: () => Promise<void>;
  /** Looks at the database without holding anybody up. */
  inspect: () => Promise<Parameters<typeof checkDatabase>[2] | null>;
  metrics: Pick<Metrics, "summary">;
  version: string;
  clock: Clock;
}

/** What the owner sees of the server itself. */
export function createSystemService(options: SystemServiceOptions) {
  const {
    settings,
    unknownSettings,
    privacyPolicy,
    privacyPolicyFile,
    place,
    dataDir,
    file,
    warnings,
    ping,
    inspect,
    metrics,
    version,
    clock,
  } = options;
  const startedAt = toTimestamp(clock());

  async function inspectDatabase(): Promise<Finding[]> {
    try {
      await ping();
      const report = await inspect();
      if (report) return [...checkDatabase(place, "can be read and written", report), checkClock(clock(), report.latest)];
      return [
        { isOk: false, what: `database: ${place} is gone`, advice: "Move the file back, or restore a backup and restart the server." },
      ];
    } catch (error) {
      const what = `database: ${place} cannot be used`;
      return [{ isOk: false, what, ...(error instanceof DomainError && { advice: error.message }) }];
    }
  }

  return {
    /** What `periscope doctor` finds, but for the port and for damage within the database's file, which takes long to look for. */
    async overview() {
      const { user, system } = process.cpuUsage();
      return {
        version,
        nodeVersion: process.versions.node,
        startedAt,
        /** Of this process. */
        processorSeconds: (user + system) / 1e6,
        findings: [
          checkNode(),
          ...checkSettings(unknownSettings),
          { isOk: true, what: `privacy: ${policySummary(privacyPolicy, privacyPolicyFile)}` },
          ...checkPlaces(dataDir, file),
          ...(await inspectDatabase()),
          ...warnings.map((warning) => ({ isOk: false, what: `network: ${warning}` })),
        ],
        settings,
      };
    },

    /** Two readings with different `startedAt` are of different processes, and cannot be compared. */
    metrics: async () => ({ ...(await metrics.summary()), startedAt }),
  };
}
