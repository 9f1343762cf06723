import type { FilteredContext, FilterInput, TabMetadataInput } from "./types.js";

type Part<T> = { [Name in keyof T]?: T[Name] | undefined };

/** Some fields of a context, as an update has them. */
export type ContextPart = Part<Omit<FilterInput, "tabMetadata">> & { tabMetadata?: Part<TabMetadataInput> | undefined };

// For a part without an address. It belongs to no category.
const anyUrl = "https://patch.invalid/";
const emptyTab = { id: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };

/**
 * Part of a context as {@link filterContext} takes it: fields that are missing are empty.
 * @example
 * const outcome = filterContext(completePart(patch, { privacyLevel: "private", contentFormat: "text" }));
 * if (outcome.captured) send(givenFields(patch, outcome.context));
 */
export function completePart(part: ContextPart, rest: Pick<FilterInput, "privacyLevel" | "contentFormat">): FilterInput {
  const { type = "page", content = "", metadata = {}, tabMetadata = {} } = part;
  const url = part.url ?? tabMetadata.url ?? anyUrl;
  const title = part.title ?? tabMetadata.title ?? "";
  return { ...rest, type, url, title, content, metadata, tabMetadata: { ...emptyTab, url, title, ...defined(tabMetadata) } };
}

/** What is stored of the fields that `part` has. */
export function givenFields<T extends FilteredContext>(
  part: ContextPart,
  filtered: T,
): Partial<Omit<T, "tabMetadata">> & { tabMetadata?: Partial<TabMetadataInput> } {
  const { tabMetadata, ...fields } = filtered;
  const given = { ...pick(fields, part), ...(part.tabMetadata && { tabMetadata: pick(tabMetadata, part.tabMetadata) }) };
  return given as Partial<Omit<T, "tabMetadata">> & { tabMetadata?: Partial<TabMetadataInput> };
}

function pick(filtered: object, part: object): object {
  const given = defined(part);
  return Object.fromEntries(Object.entries(filtered).filter(([name]) => Object.hasOwn(given, name)));
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
