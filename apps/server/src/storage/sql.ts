import { levelsUpTo, type ReadBounds } from "../access/access.store.js";

/**
 * A database as the stores that both engines share use it: what their SQL does not have in common, and how a statement is run. Names of
 * columns are quoted, and values have the places `$1`, `$2` and so on.
 */
export interface Sql {
  /** Milliseconds since the epoch of a time that is stored. */
  millis(time: string): string;
  /** A time as it is stored, of a value in milliseconds since the epoch. */
  time(value: string): string;
  /** Whether a text is in a list that is a value, made by {@link Sql.list}. */
  isIn(text: string, list: string): string;
  list(texts: readonly string[]): unknown;
  /** Expands a JSON array, given as a parameter, to rows named `r`. */
  records(json: string, columns: Readonly<Record<string, "text" | "int" | "float8">>): string;
  /** Keeps the planner from using this column's index. */
  unindexed(column: string): string;
  /** Rows of a read, when it is the user's turn. */
  read<Row>(userId: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement that writes, in a transaction of its own. Resolves with how many rows it wrote. */
  write(userId: string, text: string, values: readonly unknown[]): Promise<number>;
}

/** A column with a time, read as milliseconds under its own name. */
export const timeColumn = ({ millis }: Pick<Sql, "millis">, column: string): string => `${millis(`"${column}"`)} AS "${column}"`;

/** Conditions on rows of a user, with their values. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  constructor(userId: string) {
    this.add((value) => `"userId" = ${value}`, userId);
  }

  /** Of contexts: those that a key can see. */
  static seenBy({ userId, maxPrivacyLevel }: ReadBounds): Conditions {
    const conditions = new Conditions(userId);
    if (maxPrivacyLevel !== "restricted") {
      const levels = levelsUpTo(maxPrivacyLevel).map((level) => `'${level}'`);
      conditions.#conditions.push(`"privacyLevel" IN (${levels.join(", ")})`);
    }
    return conditions;
  }

  /** Gives a value its place, such as `$3`. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Adds a condition, unless its value is undefined. */
  add(condition: (value: string) => string, value: unknown): void {
    if (value !== undefined) this.#conditions.push(condition(this.value(value)));
  }

  get where(): string {
    return `WHERE ${this.#conditions.join(" AND ")}`;
  }
}
