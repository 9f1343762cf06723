import { distance } from "fastest-levenshtein";
import type { Config, Environment } from "./config.js";
import { settings } from "./settings.js";

/** Variables of the client, which may be set where the server runs. */
const clientVariables = new Set(["PERISCOPE_BASE_URL", "PERISCOPE_API_KEY", "PERISCOPE_KEY"]);

/** Kubernetes sets such variables for a service with the name `periscope`. */
const kubernetesVariable = /^PERISCOPE_(?:SERVICE_(?:HOST|PORT)|PORT_\d)/;

/** Shorter names are close to too many others: `HOST` and `HOME` differ by two letters. */
const comparableLength = 8;
const typosMax = 2;

/** One line for each environment variable that looks like a mistyped setting. */
export function unknownSettings(env: Environment): string[] {
  const names = Object.keys(settings.shape);
  return Object.entries(env).flatMap(([variable, value]) => {
    if (!value || names.includes(variable) || clientVariables.has(variable)) return [];
    if (kubernetesVariable.test(variable) || /^(?:tcp|udp):\/\//.test(value)) return [];
    const intended = intendedSetting(variable, names);
    if (intended === undefined && !/^(?:PERISCOPE|RATE_LIMIT)_/.test(variable)) return [];
    const hint = intended === undefined ? "docs/configuration.md lists every setting." : `Did you mean ${intended}?`;
    return [`${variable}: unknown setting, ignored. ${hint}`];
  });
}

function intendedSetting(variable: string, names: readonly string[]): string | undefined {
  const unprefixed = names.find((name) => variable === `PERISCOPE_${name}`);
  if (unprefixed !== undefined) return unprefixed;
  const [nearest] = names
    .filter((name) => name.length >= comparableLength)
    .map((name) => ({ name, typos: distance(variable, name) }))
    .sort((a, b) => a.typos - b.typos);
  return nearest !== undefined && nearest.typos <= typosMax ? nearest.name : undefined;
}

/** A warning when other machines can reach the server without TLS; undefined when they cannot. */
export function plainHttpWarning({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): string | undefined {
  const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.") || host.startsWith("/");
  if (isLocal || publicUrl?.startsWith("https:")) return undefined;
  return `HOST is ${host}, without TLS: keys and pages cross the network unencrypted. Put a reverse proxy with TLS in front of the server, and set PUBLIC_URL to its https address.`;
}
