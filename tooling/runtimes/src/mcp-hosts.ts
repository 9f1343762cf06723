/** How a host reaches a server: by a command that it starts, or by an address. */
export type HostEntry = { command: string; args: string[]; env: Record<string, string> } | { url: string; headers: Record<string, string> };

interface WrittenEntry {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  serverUrl?: string;
  headers?: Record<string, string>;
}

/** The entries of every host's configuration in a text, by the sections that hosts have for servers. */
export function hostEntries(markdown: string): HostEntry[] {
  const configurations = [...markdown.matchAll(/^```json\n(.*?)^```$/gms)].map(
    ([, json = ""]) => JSON.parse(json) as Record<string, unknown>,
  );
  return configurations.map((configuration) => {
    const servers = configuration["mcpServers"] ?? configuration["servers"] ?? configuration["context_servers"];
    const entry = (servers as Record<string, WrittenEntry> | undefined)?.["periscope"];
    const url = entry?.url ?? entry?.serverUrl;
    if (url !== undefined) return { url, headers: entry?.headers ?? {} };
    if (entry?.command === undefined) throw new Error(`no entry of a server in ${JSON.stringify(configuration)}`);
    return { command: entry.command, args: entry.args ?? [], env: entry.env ?? {} };
  });
}
