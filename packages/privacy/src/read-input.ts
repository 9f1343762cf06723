import { isLevel } from "./arguments.js";
import type { ContentFormat, FilterInput, TabMetadataInput } from "./types.js";

/** A context as it was read, each field once. */
export type ReadInput =
  /** Neither its addresses nor whether its window is private can be told. */
  | { readonly isReadable: false }
  /** `isWhole` is `false` when a field is missing, of another type, or throws when it is read; such fields are empty in `input`. */
  | { readonly isReadable: true; readonly isWhole: boolean; readonly input: FilterInput };

/** Stands for a field that throws when it is read, or has no place to be read from. */
const unreadable = Symbol("unreadable");

function read(source: unknown, key: string): unknown {
  if (typeof source !== "object" || source === null) return unreadable;
  try {
    return (source as Record<string, unknown>)[key];
  } catch {
    return unreadable;
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isNumber = (value: unknown): value is number => typeof value === "number";
/** ISO 8601, or nothing; any other text would be kept as it is at every level. */
const isTime = (value: unknown): value is string => isText(value) && (value === "" || time.test(value));
const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,30})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?$/i;
const isFormat = (value: unknown): value is ContentFormat => value === "text" || value === "html" || value === "markdown";

/**
 * Reads a context that nobody may have validated into one whose fields have their types, and never throws. What is read is
 * a copy, so a field that answers otherwise the next time, or throws then, changes nothing.
 */
export function readInput(given: unknown): ReadInput {
  const tab = read(given, "tabMetadata");
  const url = read(given, "url");
  const tabUrl = read(tab, "url");
  const incognito = read(tab, "incognito");
  if (!isText(url) || !isText(tabUrl) || !(incognito === undefined || isFlag(incognito))) return { isReadable: false };

  let isWhole = true;
  const take = <T>(value: unknown, is: (value: unknown) => value is T, empty: T): T => {
    if (is(value)) return value;
    isWhole = false;
    return empty;
  };
  const optional = <TKey extends string, T>(key: TKey, is: (value: unknown) => value is T, empty: T): { [key in TKey]?: T } => {
    const value = read(tab, key);
    if (value === undefined) return {};
    return { [key]: take(value, is, empty) } as { [key in TKey]?: T };
  };
  const tabMetadata: TabMetadataInput = {
    id: take(read(tab, "id"), isText, ""),
    url: tabUrl,
    title: take(read(tab, "title"), isText, ""),
    isActive: take(read(tab, "isActive"), isFlag, false),
    isLoading: take(read(tab, "isLoading"), isFlag, false),
    windowId: take(read(tab, "windowId"), isNumber, 0),
    lastUpdated: take(read(tab, "lastUpdated"), isTime, ""),
    ...(incognito === undefined ? {} : { incognito }),
    ...optional("pinned", isFlag, false),
    ...optional("audible", isFlag, false),
    ...optional("referrer", isText, ""),
    ...optional("favIconUrl", isText, ""),
    ...optional("openerTabId", isText, ""),
    ...optional("lang", isText, ""),
  };
  const metadata = readMetadata(read(given, "metadata"));
  const input: FilterInput = {
    type: take(read(given, "type"), isText, ""),
    url,
    title: take(read(given, "title"), isText, ""),
    content: take(read(given, "content"), isText, ""),
    contentFormat: take(read(given, "contentFormat"), isFormat, "text"),
    privacyLevel: take(read(given, "privacyLevel"), isLevel, "restricted"),
    tabMetadata,
    metadata: metadata ?? {},
  };
  return { isReadable: true, isWhole: isWhole && metadata !== undefined, input };
}

/** The flat entries of metadata, whose nested ones are dropped: it is flat by contract. `undefined` when it cannot be read. */
function readMetadata(value: unknown): FilterInput["metadata"] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const flat = Object.entries(value).filter((entry): entry is [string, string | number | boolean] => {
      const kind = typeof entry[1];
      return kind === "string" || kind === "number" || kind === "boolean";
    });
    return Object.fromEntries(flat);
  } catch {
    return undefined;
  }
}
