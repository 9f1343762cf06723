import { isLikeForm } from "./fields/form.js";
import type { FilteredContext, FilterInput, TabMetadataInput } from "./types.js";

type Part<T> = { [Name in keyof T]?: T[Name] | undefined };

/** Some fields of a context, as an update has them. */
export type ContextPart = Part<Omit<FilterInput, "tabMetadata">> & { tabMetadata?: Part<TabMetadataInput> | undefined };

// For a part without an address. It belongs to no category.
const anyUrl = "https://patch.invalid/";
const emptyTab = { id: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };

/**
 * Completes a patch to what {@link filterContext} takes: fields that the patch does not have are empty, or those of `defaults`. Content
 * that looks like that of a form is one, unless the patch says what it is.
 * @example
 * const outcome = filterContext(toFilterInput(patch, { privacyLevel: "private", contentFormat: "text" }));
 * if (outcome.captured) send(pickPatchedFields(patch, outcome.context));
 */
export function toFilterInput(patch: ContextPart, defaults: Pick<FilterInput, "privacyLevel" | "contentFormat">): FilterInput {
  const { content = "", metadata = {}, tabMetadata = {} } = patch;
  // Read as a page, a form would keep the values of hidden fields.
  const type = patch.type ?? (isLikeForm(content) ? "form" : "page");
  const url = patch.url ?? tabMetadata.url ?? anyUrl;
  const title = patch.title ?? tabMetadata.title ?? "";
  return { ...defaults, type, url, title, content, metadata, tabMetadata: { ...emptyTab, url, title, ...defined(tabMetadata) } };
}

/** Of a filtered context, the fields that the patch has. */
export function pickPatchedFields<T extends FilteredContext>(
  patch: ContextPart,
  context: T,
): Partial<Omit<T, "tabMetadata">> & { tabMetadata?: Partial<TabMetadataInput> } {
  const { tabMetadata, ...fields } = context;
  const given = { ...pick(fields, patch), ...(patch.tabMetadata && { tabMetadata: pick(tabMetadata, patch.tabMetadata) }) };
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
