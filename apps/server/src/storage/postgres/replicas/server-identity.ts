/** What tells a copy of a database from another database; a standby has its primary's. */
export interface ServerIdentity {
  /** Number that the files of a server got when they were made, and that every copy of them keeps. */
  system: string;
  /** Number of the database among those of the server. */
  database: string;
}

/** Columns of a SELECT that give a {@link ServerIdentity}; any user may ask. */
export const identity = `(SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database`;

/** Position of a primary's log, in bytes, by which all that was acknowledged is in it. */
export const position = `pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END, '0/0')::float8 AS position`;
