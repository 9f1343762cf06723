import {
  toFilterInput,
  filterContext,
  type FilteredContext,
  type FilterPolicy,
  pickPatchedFields,
  maxLevel,
  recordLevels,
  redactRecord,
  redactText,
  siteOf,
} from "@periscope/privacy";
import { contentFormatOf, type SyncedContext } from "@periscope/schemas";
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
  const { settings, report } = recordLevels(policy);
  const text = (value: string) => redactText(value, report, { policy }).text;
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
      return keep({ payload: { config: redactRecord(message.payload.config, settings, { policy }).record } });
    case "error": {
      const { code, message: words, details } = message.payload;
      const kept = details === undefined ? {} : redactRecord({ details }, report, { policy }).record;
      return keep({ payload: { code: text(code), message: text(words), ...kept } });
    }
  }
}

/** The fields of a context that no filter touches. `userId` is left out: the service knows whose key it is. */
type Unfiltered = Exclude<keyof SyncedContext, keyof FilteredContext | "userId">;

/** The context of a message as it may be stored; of an update only the fields that it changes. */
function filterFields(
  { type: messageType, payload: { context } }: Extract<NewMessage, { type: "create" | "update" }>,
  policy: FilterPolicy,
) {
  const { id, type, tabId, capturedAt, privacyLevel: asked, content = "", tabMetadata } = context;
  // The filter fills in what a patch does not have; a whole context would become that of a page which does not exist.
  const required = [capturedAt, tabMetadata?.id, tabMetadata?.url, tabMetadata?.title];
  if (messageType === "create" && required.some((field) => typeof field !== "string")) return { reasons: ["filter:failed"] };
  const hasAddress = context.url !== undefined || tabMetadata?.url !== undefined;
  const outcome = filterContext(
    toFilterInput(
      { ...context, tabMetadata: { ...tabMetadata, lastUpdated: tabMetadata?.lastUpdated ?? capturedAt } },
      {
        privacyLevel: maxLevel(asked ?? "private", hasAddress ? "public" : "filtered"),
        contentFormat: context.contentFormat ?? contentFormatOf(content),
      },
    ),
    policy,
  );
  if (!outcome.captured) return { reasons: outcome.reasons };
  if (outcome.failedClosed) return { reasons: ["filter:failed"] };
  const { context: filtered, level, reasons, redactions } = outcome;
  // The level of a page whose address was given is known; without it only the one asked for is.
  const head: Record<Unfiltered, unknown> = { id, type, tabId, capturedAt, privacyLevel: hasAddress ? level : asked };
  const fields = messageType === "create" ? filtered : pickPatchedFields(context, filtered);
  return { context: { ...defined(head), ...fields }, level, reasons, redactions };
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function defined<T extends object>(fields: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;
}
