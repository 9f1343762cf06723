import { initialSettings, Settings } from "./settings.js";

/** A step from the shape of one version to the next. Steps are added, never changed; the first one is that from version 1 to 2. */
export type Migration = (old: Record<string, unknown>) => Record<string, unknown>;

const steps: readonly Migration[] = [
  // One list meant either: it goes to the one that it was.
  ({ sites, ...old }) => ({
    ...old,
    // Nobody knows: taken for answered, nothing that waits for it goes to another.
    answeredServer: old["server"],
    blockedSites: old["siteMode"] === "all-but" ? sites : [],
    onlySites: old["siteMode"] === "all-but" ? [] : sites,
    version: 2,
  }),
];

/**
 * Settings as they were found on the disk, in today's shape. What cannot be understood, or comes from a newer version of the extension, is not
 * guessed at: then nothing is recorded until the person has looked at the settings.
 */
export function migrate(stored: unknown, migrations: readonly Migration[] = steps): Settings {
  if (stored === undefined) return initialSettings;
  try {
    let found = stored as Record<string, unknown>;
    const { version } = found;
    if (typeof version !== "number" || version < 1 || version > migrations.length + 1) return distrusted;
    for (const step of migrations.slice(version - 1)) found = step(found);
    const read = Settings.safeParse(found);
    return read.success ? read.data : distrusted;
  } catch {
    return distrusted;
  }
}

/** Consent has to be given again, since nobody knows what the settings had said. */
const distrusted: Settings = { ...initialSettings, isRecording: false };
