import { type ConfigFlag, flagName, flagOf } from "../src/config/config.js";
import { type SettingReference, settingReferences, settings } from "../src/config/settings.js";

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

const envHead = `# Every setting of the server. All are optional. Remove the # of a line to set it.
# Give the file to Node (node --env-file=.env …), to a container (--env-file .env) or to systemd (EnvironmentFile=).
# This file is generated from src/config/settings.ts, and a test checks it.`;

const pageHead = `# Configuration

Settings are environment variables. Five of them are also flags of \`periscope serve\`, and a flag wins over its variable.

- An empty variable counts as unset.
- A wrong value stops the command at once. The message names the setting, the value and what is allowed.
- A variable that looks like a mistyped setting, such as \`PERISCOPE_DATADIR\`, is ignored with a warning.
- The value of \`DATABASE_URL\`, and any value with credentials, is never printed.

\`PERISCOPE_DATA_DIR\` and \`DATABASE_URL\` apply to every command, so \`periscope keys create\` uses the database of \`periscope serve\`.
[\`.env.example\`](../apps/server/.env.example) has all settings in a file to start from.

This list is generated from \`apps/server/src/config/settings.ts\`.`;
