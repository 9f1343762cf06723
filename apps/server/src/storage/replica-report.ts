/** How a read replica was found. */
export type ReplicaReport =
  | {
      /** Host, port and database. */
      place: string;
      /** Bytes of the log that it has not replayed. */
      lagBytes: number;
      /** Milliseconds since the last change that it has, when there are later ones; 0 when it has all. */
      lagMs: number;
    }
  | {
      place: string;
      /** Why it cannot be read, and what to do. */
      problem: string;
    };
