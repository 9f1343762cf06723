import { explainContext, type FilterPolicy, siteOf } from "@periscope/privacy";
import type { MessageFilter } from "./message-filter.js";
import type { NewMessage } from "./message.js";
import { inputOf, privacyFilter } from "./privacy-filter.js";
import type { Explanation, Privacy, UserRules } from "./privacy.js";

/**
 * The filter of `@periscope/privacy` under a policy of the extension's own and the rules of its user, with dry runs. Their levels and
 * names to remove are added to the policy's; which sites are blocked or allowed is the host's to see to.
 *
 * @example const privacy = definePrivacy({ minimumLevel: "private", blockedSites: ["intranet.example"] });
 * @throws RangeError for a policy that is not valid
 */
export function definePrivacy(policy: FilterPolicy = {}): Privacy {
  let last = compile("", policy);

  /** Rules come anew with every message, and are seldom others than before. */
  function under({ siteRules, denyList }: UserRules): typeof last {
    const key = siteRules.length + denyList.length === 0 ? "" : JSON.stringify([siteRules, denyList]);
    if (key !== last.key) {
      last = compile(key, {
        ...policy,
        siteRules: [...(policy.siteRules ?? []), ...siteRules],
        denyList: [...(policy.denyList ?? []), ...denyList],
      });
    }
    return last;
  }

  return {
    filter: (message, rules) => under(rules).filter(message),
    explain: (message, rules) => explained(message, under(rules)),
  };
}

function compile(key: string, policy: FilterPolicy) {
  // The filter passes over what is no site: a level that its user set must not be missing for a slip of the pen.
  const sites = [...(policy.blockedSites ?? []), ...(policy.siteRules ?? []).map(({ site }) => site)];
  const wrong = sites.find((site) => siteOf(site) === undefined);
  if (wrong !== undefined)
    throw new RangeError(`"${wrong}" is no site. Write a host, perhaps with a path: example.com or example.com/health.`);
  return { key, policy, filter: privacyFilter(policy) };
}

async function explained(message: NewMessage, { policy, filter }: { policy: FilterPolicy; filter: MessageFilter }): Promise<Explanation> {
  const verdict = await filter(message);
  if (message.type !== "create") return explainedBy(verdict);
  const { captured, level, reasons, redactions, findings } = explainContext(inputOf(message.payload.context), policy);
  if (!verdict.keep || !captured) return { captured: false, rule: verdict.keep ? "policy" : verdict.rule, reasons };
  return { captured: true, message: verdict.message, ...(level !== undefined && { level }), reasons, redactions, findings };
}

/** What a filter alone says of a message. */
function explainedBy(verdict: Awaited<ReturnType<MessageFilter>>): Explanation {
  if (!verdict.keep) return { captured: false, rule: verdict.rule, reasons: [] };
  return { captured: true, message: verdict.message, reasons: [], redactions: {}, findings: [] };
}
