import { filterContext, type FilterPolicy, maxLevel, redactRecord, redactText, siteOf } from "@periscope/privacy";
import { contentFormatOf } from "@periscope/schemas";
import type { FilterVerdict, MessageFilter, NewMessage } from "./message.js";

/**
 * The filter of `@periscope/privacy` for whole messages: what the service would remove never reaches the disk. Only fields of the contract are
 * kept. A context that the filter fails on is blocked. An update that brings text without the address of its page is held at `filtered` at
 * least, since the page may be one of a site that asks for it.
 * @param policy Rules, or a function that has them, asked for with each message: a user's blocked sites hold from the next message on. While it
 * fails, everything is blocked. A policy is compiled once, so hand out the same object while the rules are the same.
 * @example privacyFilter({ minimumLevel: "private", blockedSites: ["intranet.example"] })
 * @throws RangeError for a policy that is not valid
 */
export function privacyFilter(policy: FilterPolicy | (() => FilterPolicy | Promise<FilterPolicy>) = {}): MessageFilter {
  if (typeof policy === "function") return async (message) => filterUnder(requireSites(await policy()), message);
  // Compiles the policy, so that a wrong one is refused now.
  redactText("", "private", { policy: requireSites(policy) });
  return (message) => filterUnder(policy, message);
}

/** The engine passes over what is no site: one that its user blocked must not be missing for a slip of the pen. */
function requireSites(policy: FilterPolicy): FilterPolicy {
  const sites = [...(policy.blockedSites ?? []), ...(policy.siteRules ?? []).map(({ site }) => site)];
  const wrong = sites.find((site) => siteOf(site) === undefined);
  if (wrong === undefined) return policy;
  throw new RangeError(`"${wrong}" is no site. Write a host, perhaps with a path: example.com or example.com/health.`);
}

function filterUnder(policy: FilterPolicy, message: NewMessage): FilterVerdict {
  const { id, timestamp } = message;
  const keep = (rest: object): FilterVerdict => ({
    keep: true,
    message: { type: message.type, ...defined({ id, timestamp }), ...rest } as NewMessage,
  });
  // As on the service: settings and errors have no level of their own, a deny-list works from `filtered` on, and errors need no contact details.
  const level = maxLevel(policy.minimumLevel ?? "private", policy.denyList?.length ? "filtered" : "private");
  const reportLevel = maxLevel(level, "filtered");
  const text = (value: string) => redactText(value, reportLevel, { policy }).text;
  switch (message.type) {
    case "create":
    case "update": {
      const { context, ...verdict } = filterFields(message, policy);
      return context === undefined
        ? { keep: false, rule: verdict.reasons[0] ?? "policy" }
        : { ...keep({ payload: { context } }), ...verdict };
    }
    case "delete":
      return keep({ payload: { context: { id: message.payload.context.id } } });
    case "heartbeat": {
      const { contextId, tabId } = message.payload ?? {};
      return keep({ payload: defined({ contextId, tabId }) });
    }
    case "config":
      return keep({ payload: { config: redactRecord(message.payload.config, level, { policy }).record } });
    case "error": {
      const { code, message: words, details } = message.payload;
      const report = details === undefined ? {} : redactRecord({ details }, reportLevel, { policy }).record;
      return keep({ payload: { code: text(code), message: text(words), ...report } });
    }
  }
}

/** Stands in for an address that an update leaves out; belongs to no category. */
const anyUrl = "https://patch.invalid/";
const emptyTab = { id: "", title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };

/** The context of a message as it may be stored; of an update only the fields that it changes. */
function filterFields({ type: messageType, payload }: Extract<NewMessage, { type: "create" | "update" }>, policy: FilterPolicy) {
  const { id, type, tabId, capturedAt, privacyLevel = "private", content = "", ...given } = payload.context;
  const { tabMetadata: tab } = given;
  const url = given.url ?? tab?.url;
  const outcome = filterContext(
    {
      type: type ?? "page",
      url: url ?? anyUrl,
      title: given.title ?? tab?.title ?? "",
      content,
      contentFormat: given.contentFormat ?? contentFormatOf(content),
      privacyLevel: url === undefined ? maxLevel(privacyLevel, "filtered") : privacyLevel,
      tabMetadata: { ...emptyTab, ...defined({ lastUpdated: capturedAt }), ...defined(tab ?? {}), url: tab?.url ?? url ?? anyUrl },
      metadata: given.metadata ?? {},
    },
    policy,
  );
  if (!outcome.captured) return { reasons: outcome.reasons };
  if (outcome.failedClosed) return { reasons: ["filter:failed"] };
  const { context: filtered, level, reasons, redactions } = outcome;
  const head = defined({ id, type, tabId, capturedAt });
  if (messageType === "create") return { context: { ...head, privacyLevel: level, ...filtered }, level, reasons, redactions };
  const fields = only(filtered, payload.context, ["url", "title", "content", "contentFormat", "metadata"]);
  const tabMetadata = tab && only(filtered.tabMetadata, tab, Object.keys(tab));
  // The level of a page whose address was given is known; without it only the one asked for is.
  const known = url === undefined ? payload.context.privacyLevel : level;
  return { context: { ...head, ...defined({ privacyLevel: known, tabMetadata }), ...fields }, level, reasons, redactions };
}

/** The fields of `filtered` that `given` has. */
function only(filtered: object, given: object, names: readonly string[]): Record<string, unknown> {
  const [from, asked] = [filtered, given] as Record<string, unknown>[];
  return defined(Object.fromEntries(names.filter((name) => asked?.[name] !== undefined).map((name) => [name, from?.[name]])));
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function defined<T extends object>(fields: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;
}
