import {
  filterContext,
  type FilterInput,
  type FilterPolicy,
  maxLevel,
  type PrivacyLevel,
  redactRecord,
  redactText,
} from "@periscope/privacy";
import { contentFormatOf } from "@periscope/schemas";
import type { MessageFilter } from "./message-filter.js";
import type { NewMessage } from "./message.js";

type Of<T extends NewMessage["type"]> = Extract<NewMessage, { type: T }>;
type Created = Of<"create">["payload"]["context"];

/** Stands in for an address that a patch leaves out; belongs to no category. */
const anyUrl = "https://patch.invalid/";
const emptyTab = { id: "", url: anyUrl, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };

/**
 * The filter of `@periscope/privacy` under a policy, for whole messages: what the service would remove never reaches the disk. Only fields
 * of the contract are kept. A context that the filter fails on is blocked. An update that brings text without the address of its page is held
 * at `filtered` at least, since the page may be one of a site that asks for it.
 * @throws RangeError for a policy that is not valid
 */
export function privacyFilter(policy: FilterPolicy = {}): MessageFilter {
  // As on the service: settings and errors have no level of their own, and a deny-list works from `filtered` on.
  const level = maxLevel(policy.minimumLevel ?? "private", policy.denyList?.length ? "filtered" : "private");
  // Compiles the policy, so that a wrong one is refused now.
  redactText("", level, { policy });
  const text = (value: string) => redactText(value, level, { policy }).text;
  const record = (value: Record<string, unknown>) => redactRecord(value, level, { policy }).record;

  return (message) => {
    switch (message.type) {
      case "create":
        return filterCreate(message, policy);
      case "update":
        return filterUpdate(message, policy);
      case "delete": {
        const { id } = message.payload.context;
        return keep({ ...headOf(message), payload: { context: { id } } });
      }
      case "heartbeat": {
        const { contextId, tabId } = message.payload ?? {};
        return keep({ ...headOf(message), payload: { ...defined({ contextId, tabId }) } });
      }
      case "config":
        return keep({ ...headOf(message), payload: { config: record(message.payload.config) } });
      case "error": {
        const { code, details } = message.payload;
        const kept = { code: text(code), message: text(message.payload.message) };
        return keep({ ...headOf(message), payload: { ...kept, ...(details !== undefined && record({ details })) } });
      }
    }
  };
}

function filterCreate(message: Of<"create">, policy: FilterPolicy) {
  const { context } = message.payload;
  const outcome = filterContext(inputOf(context), policy);
  if (!outcome.captured) return blocked(outcome.reasons);
  if (outcome.failedClosed) return blocked(["filter:failed"]);
  const { type, tabId, capturedAt } = context;
  const filtered = { type, tabId, capturedAt, privacyLevel: outcome.level, ...outcome.context };
  return keep({ ...headOf(message), payload: { context: { ...defined({ id: context.id }), ...filtered } } });
}

function filterUpdate(message: Of<"update">, policy: FilterPolicy) {
  const { context } = message.payload;
  const { tabMetadata: tab, privacyLevel, content } = context;
  const url = context.url ?? tab?.url;
  const asked = privacyLevel ?? "private";
  const outcome = filterContext(
    {
      type: context.type ?? "page",
      url: url ?? anyUrl,
      title: context.title ?? "",
      content: content ?? "",
      contentFormat: context.contentFormat ?? contentFormatOf(content ?? ""),
      privacyLevel: url === undefined ? maxLevel(asked, "filtered") : asked,
      tabMetadata: { ...emptyTab, ...defined(tab ?? {}), url: tab?.url ?? url ?? anyUrl },
      metadata: context.metadata ?? {},
    },
    policy,
  );
  if (!outcome.captured) return blocked(outcome.reasons);
  if (outcome.failedClosed) return blocked(["filter:failed"]);
  const filtered: Record<string, unknown> = { ...outcome.context };
  const filteredTab: Record<string, unknown> = { ...outcome.context.tabMetadata };
  const { id, type, tabId, capturedAt } = context;
  // The level of a page whose address was given is known; without it only the one asked for is.
  const level: PrivacyLevel | undefined = url === undefined ? privacyLevel : outcome.level;
  const given = {
    ...only(filtered, context, ["url", "title", "content", "contentFormat", "metadata"]),
    ...(tab !== undefined && { tabMetadata: only(filteredTab, tab, Object.keys(tab)) }),
  };
  return keep({ ...headOf(message), payload: { context: { id, ...defined({ type, tabId, capturedAt, privacyLevel: level }), ...given } } });
}

/** With the contract's defaults, as the service fills them in. */
export function inputOf({ type, tabMetadata, content = "", ...context }: Created): FilterInput {
  return {
    type,
    url: context.url ?? tabMetadata.url,
    title: context.title ?? tabMetadata.title,
    content,
    contentFormat: context.contentFormat ?? contentFormatOf(content),
    privacyLevel: context.privacyLevel ?? "private",
    tabMetadata: { ...emptyTab, lastUpdated: context.capturedAt, ...defined(tabMetadata) },
    metadata: context.metadata ?? {},
  };
}

function headOf<T extends NewMessage["type"]>({ id, type, timestamp }: { id?: string; type: T; timestamp?: string }) {
  return { type, ...defined({ id, timestamp }) };
}

/** The fields of `filtered` that `given` has. */
function only(filtered: Record<string, unknown>, given: object, names: readonly string[]): Record<string, unknown> {
  const has = (name: string) => (given as Record<string, unknown>)[name] !== undefined && filtered[name] !== undefined;
  return Object.fromEntries(names.filter(has).map((name) => [name, filtered[name]]));
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function defined<T extends object>(fields: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;
}

const keep = (message: object) => ({ keep: true as const, message: message as NewMessage });
const blocked = (reasons: readonly string[]) => ({ keep: false as const, rule: reasons[0] ?? "policy" });
