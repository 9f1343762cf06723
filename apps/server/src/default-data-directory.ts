import { isAbsolute, join } from "node:path";

/** What the default place of the data depends on. */
export interface HostPlatform {
  /** As `process.platform`. */
  platform: string;
  /** The user's home directory, absolute. */
  homeDirectory: string;
  /** Absolute; relative paths in settings start here. */
  workingDirectory: string;
}

/**
 * The per-user data directory by the platform's convention: `%LOCALAPPDATA%` on Windows, else `$XDG_DATA_HOME` when
 * that is set, else `~/Library/Application Support` on macOS and `~/.local/share` everywhere else.
 */
export function defaultDataDirectory(env: Readonly<Record<string, string | undefined>>, { platform, homeDirectory }: HostPlatform): string {
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(homeDirectory, "AppData", "Local"), "periscope");
  const xdg = env["XDG_DATA_HOME"];
  // The XDG specification has relative paths ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "periscope");
  if (platform === "darwin") return join(homeDirectory, "Library", "Application Support", "periscope");
  return join(homeDirectory, ".local", "share", "periscope");
}
