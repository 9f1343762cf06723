/** How one program is told of this server. */
export interface Configuration {
  program: string;
  /** Where the text goes. */
  where: string;
  text: string;
}

/**
 * Ready configurations for the server at `origin`, such as `https://periscope.example.org`. Without a key, the program opens the browser,
 * and the person signs in and agrees there.
 */
export function agentConfigurations(origin: string, key?: string): Configuration[] {
  const url = `${origin}/mcp`;
  const headers = key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } };
  const isKeyless = key === undefined;
  // mcp-remote refuses plain HTTP to other machines.
  const allowHttp = /^http:\/\/(?!localhost\b|127\.0\.0\.1\b)/.test(origin) ? ["--allow-http"] : [];
  return [
    {
      program: "Claude Code",
      where: isKeyless ? "Run this in a terminal. Then enter /mcp in Claude Code to sign in." : "Run this in a terminal.",
      text: `claude mcp add --scope user --transport http periscope ${url}${isKeyless ? "" : ` --header "Authorization: Bearer ${key}"`}`,
    },
    {
      program: "Claude Desktop",
      where: "Settings, Developer, Edit Config: claude_desktop_config.json",
      text: json({
        mcpServers: {
          periscope: isKeyless
            ? { command: "npx", args: ["-y", "mcp-remote", url, ...allowHttp] }
            : {
                command: "npx",
                // A space inside an argument is lost on Windows, so the value comes from the environment.
                args: ["-y", "mcp-remote", url, "--header", "Authorization:${PERISCOPE_AUTHORIZATION}", ...allowHttp],
                env: { PERISCOPE_AUTHORIZATION: `Bearer ${key}` },
              },
        },
      }),
    },
    {
      program: "Cursor",
      where: `~/.cursor/mcp.json${isKeyless ? "; then Connect in the settings of MCP" : ""}`,
      text: json({ mcpServers: { periscope: { url, ...headers } } }),
    },
    {
      program: "VS Code",
      where: "Command “MCP: Open User Configuration”",
      text: json({ servers: { periscope: { type: "http", url, ...headers } } }),
    },
  ];
}

/** Ready calls of the API with a key. */
export function apiConfigurations(origin: string, key: string): Configuration[] {
  const baseUrl = `${origin}/api/v1`;
  return [
    { program: "curl", where: "Run this in a terminal.", text: `curl -H "Authorization: Bearer ${key}" "${baseUrl}/context/current"` },
    {
      program: "TypeScript",
      where: "npm install @periscope/client. Not on npm yet: see Packages in the README.",
      text: [
        'import { Periscope } from "@periscope/client";',
        "",
        `const periscope = new Periscope({ baseUrl: "${baseUrl}", apiKey: "${key}" });`,
        "console.log(await periscope.current());",
      ].join("\n"),
    },
  ];
}

const json = (value: object): string => JSON.stringify(value, null, 2);
