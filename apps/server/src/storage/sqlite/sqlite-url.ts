/** File of an embedded database, from `file:/path` or `sqlite:/path`. Throws `RangeError` for any other URL. */
export function sqliteFile(databaseUrl: string): string {
  const match = /^(?:file|sqlite):(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl);
  if (!match?.[1]) throw new RangeError("The embedded database is named by a file: URL, such as file:/var/lib/periscope/periscope.db.");
  return match[1];
}
