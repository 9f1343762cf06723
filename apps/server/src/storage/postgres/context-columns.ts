import type { StoredContext } from "../../contexts/context.store.js";
import { type ArrayType, binaryArray } from "./binary-array.js";

/** A time as milliseconds since the epoch: the driver's own reading of times is slower and knows no year 0. */
export const millis = (column: string): string => `(extract(epoch FROM "${column}") * 1000)::float8 AS "${column}"`;

/** Columns of a row as it is read. Without the text that is searched: only a sync needs that. */
export const contextColumns = [
  ..."userId contextId type tabId extensionId privacyLevel contentFormat url title tabMetadata metadata content"
    .split(" ")
    .map((name) => `"${name}"`),
  ...["capturedAt", "writtenAt", "lastSeenAt"].map(millis),
].join(", ");

/** A column as it is written. */
export interface Column {
  name: string;
  /** Type of the array that it is sent in. */
  sentAs: Exclude<ArrayType, "bytea[]">;
  /** What makes the column of what was sent. */
  made?: (sent: string) => string;
  of: (context: StoredContext) => string | number | null;
}

const time = (sent: string) => `to_timestamp(${sent} / 1000)`;

/** Every column but the user and the order of arrival, as it is written. */
export const writtenColumns: readonly Column[] = [
  { name: "contextId", sentAs: "text[]", of: ({ contextId }) => contextId },
  { name: "type", sentAs: "text[]", of: ({ type }) => type },
  { name: "tabId", sentAs: "text[]", of: ({ tabId }) => tabId },
  { name: "extensionId", sentAs: "text[]", of: ({ extensionId }) => extensionId },
  { name: "capturedAt", sentAs: "float8[]", made: time, of: ({ capturedAt }) => capturedAt },
  { name: "privacyLevel", sentAs: "text[]", of: ({ privacyLevel }) => privacyLevel },
  { name: "writtenAt", sentAs: "float8[]", made: time, of: ({ writtenAt }) => writtenAt },
  { name: "lastSeenAt", sentAs: "float8[]", made: time, of: ({ lastSeenAt }) => lastSeenAt },
  { name: "contentFormat", sentAs: "text[]", of: ({ contentFormat }) => contentFormat },
  { name: "url", sentAs: "text[]", of: ({ url }) => url },
  { name: "title", sentAs: "text[]", of: ({ title }) => title },
  { name: "tabMetadata", sentAs: "text[]", of: ({ tabMetadata }) => JSON.stringify(tabMetadata) },
  { name: "metadata", sentAs: "text[]", of: ({ metadata }) => JSON.stringify(metadata) },
  { name: "plainText", sentAs: "text[]", of: ({ plainText }) => plainText },
  { name: "content", sentAs: "text[]", of: ({ content }) => content },
];

/** The rows as arrays, one a column, in the order of {@link writtenColumns}. */
export function toArrays(contexts: readonly StoredContext[]): Buffer[] {
  return writtenColumns.map(({ sentAs, of }) => binaryArray(sentAs, contexts.map(of)));
}
