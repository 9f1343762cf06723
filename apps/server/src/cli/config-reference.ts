import { type ConfigFlag, flagName, flagOf, settingReferences, settings, type SettingReference } from "../config.js";

/** Name and reference of every setting, in the order of the schema. */
export function configReference(): Array<SettingReference & { name: string; flag: ConfigFlag | undefined }> {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const reference = settingReferences.get(schema);
    if (reference === undefined) throw new TypeError(`setting ${name} has no reference`);
    return { name, flag: flagOf(name), ...reference };
  });
}

/** Text of `.env.example`: every setting, commented out, with its default. */
export function renderEnvExample(): string {
  const entries = configReference().map(({ name, description, allowed, fallback, computed }) =>
    [
      `# ${description}`,
      `# Allowed: ${allowed}.`,
      ...(computed ? [`# Default: ${fallback}.`, `# ${name}=`] : [`# ${name}=${fallback}`]),
    ].join("\n"),
  );
  return `${[envHead, ...entries].join("\n\n")}\n`;
}

/** Text of `docs/configuration.md`. */
export function renderConfigurationPage(): string {
  const entries = configReference().map(({ name, flag, description, allowed, fallback, computed }) => {
    const names = flag === undefined ? `**\`${name}\`**` : `**\`${name}\`**, \`${flagName(flag)}\``;
    const value = computed ? fallback : fallback === "" ? "none" : `\`${fallback}\``;
    return `- ${names}: ${description}\n  Allowed: ${allowed}. Default: ${value}.`;
  });
  return `${pageHead}\n\n${entries.join("\n")}\n`;
}

const envHead = `# Every setting of the server. All are optional; a line takes effect when its # is removed.
# Give the file to Node (node --env-file=.env …), to a container (--env-file .env) or to systemd (EnvironmentFile=).
# This file is generated from src/config.ts and checked by its test.`;

const pageHead = `# Configuration

Settings are environment variables; five have a flag of \`periscope serve\` too, which wins. An empty variable counts as
unset. A wrong value stops the command before anything is opened, and the message names the setting, what was given
and what is allowed. Values of \`DATABASE_URL\`, and any that carry credentials, are never printed.

\`PERISCOPE_DATA_DIR\` and \`DATABASE_URL\` hold for every command, so that \`periscope keys create\` finds the database
that \`periscope serve\` uses. \`apps/server/.env.example\` has all settings as a file to start from.

The list is generated from \`apps/server/src/config.ts\`.`;
