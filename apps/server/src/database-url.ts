/** Whether a DATABASE_URL names a PostgreSQL server. */
export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(?:ql)?:/i.test(databaseUrl);
}

/** Where a PostgreSQL database is, as it may be printed: host, port and name, without user, password and options. */
export function placeOf(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null;
  if (url === null) return "PostgreSQL";
  const host = url.hostname || url.searchParams.get("host") || "localhost";
  return `PostgreSQL at ${host}:${url.port || "5432"}${url.pathname}`;
}
