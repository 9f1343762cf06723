import { isDeepStrictEqual } from "node:util";
import { privacyLevels, siteMatcher, siteOf } from "@periscope/privacy";
import { type RetentionRule, RetentionRules, type StoredRetention } from "@periscope/schemas";
import { z } from "zod";
import type { Deps } from "../deps.js";
import { DomainError } from "../domain-error.js";
import { dayMs, toTimestamp } from "../formats.js";
import { type ChosenContext, sliceContexts } from "../contexts/context-removal.js";

export interface ApplyRetentionOptions {
  /** Only this user; all users without it. */
  userId?: string | undefined;
  /** Counts and deletes nothing. */
  isDryRun?: boolean;
  /** Called with how many contexts are deleted, or counted, by now. */
  onProgress?: (contexts: number) => void;
  /** Called with how many more contexts are deleted. */
  onDeleted?: (contexts: number) => void;
  /** What went wrong for a user. Without it, the first failure ends the rest. */
  onFailure?: (userId: string, error: unknown) => void;
  isStopped?: () => boolean;
}

export async function getRetention(
  { stores, operatorRetention }: Pick<Deps, "stores" | "operatorRetention">,
  userId: string,
): Promise<StoredRetention> {
  const stored = await stores.data.findRetention(userId);
  return { rules: stored?.rules ?? [], updatedAt: stored ? toTimestamp(stored.updatedAt) : null, ...operatorRetention };
}

/** Replaces the user's rules, which are applied within the hour. Throws `unauthorized` when the user is gone. */
export async function replaceRetention(
  { stores, clock, operatorRetention }: Pick<Deps, "stores" | "clock" | "operatorRetention">,
  userId: string,
  { rules }: RetentionRules,
): Promise<StoredRetention> {
  const at = clock();
  if (!(await stores.data.replaceRetention(userId, rules, at)))
    throw new DomainError("unauthorized", "This user has been deleted. Use another user's key.");
  return { rules, updatedAt: toTimestamp(at), ...operatorRetention };
}

/**
 * Deletes what is past its time, in slices, so that others write in between. Answers how many contexts. A user for whom that fails does
 * not keep the others from it where there is an `onFailure`.
 */
export async function applyRetention(
  deps: Pick<Deps, "stores" | "removal" | "clock" | "operatorRetention">,
  { userId, isDryRun = false, onProgress, onDeleted, onFailure, isStopped = () => false }: ApplyRetentionOptions = {},
): Promise<number> {
  const users = userId === undefined ? (await deps.stores.access.listUsers()).map((user) => user.userId) : [userId];
  let total = 0;
  for (const user of users) {
    // Several rules may let go of one context, which a dry run would count twice.
    const counted = new Set<string>();
    try {
      for await (const page of expired(deps, user)) {
        if (isStopped()) return total;
        const fresh = page.filter(({ contextId }) => !counted.has(contextId));
        if (isDryRun) for (const { contextId } of fresh) counted.add(contextId);
        const deleted = isDryRun || fresh.length === 0 ? fresh.length : await deps.removal.removeUnchanged(user, fresh);
        total += deleted;
        if (!isDryRun) onDeleted?.(deleted);
        onProgress?.(total);
      }
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(user, error);
    }
  }
  return total;
}

async function rulesFor(
  { stores, operatorRetention }: Pick<Deps, "stores" | "operatorRetention">,
  userId: string,
): Promise<RetentionRule[]> {
  const stored = await stores.data.findRetention(userId);
  // Throws for a condition of a later version: without it, the rule would delete too much.
  const { rules } = RetentionRules.parse({ rules: stored?.rules ?? [] });
  const { defaultDays, maxDays } = operatorRetention;
  return [
    ...(rules.length === 0 && defaultDays !== null ? [{ keepDays: defaultDays }] : rules),
    ...(maxDays === null ? [] : [{ keepDays: maxDays }]),
  ];
}

type ExpiryDeps = Pick<Deps, "stores" | "clock" | "operatorRetention">;

/** Pages of contexts that the rules of a user let go. When other rules are stored meanwhile, it begins anew with those. */
async function* expired(deps: ExpiryDeps, userId: string): AsyncGenerator<ChosenContext[]> {
  for (let rules: RetentionRule[] | undefined = await rulesFor(deps, userId); rules;) rules = yield* expiredByAll(deps, userId, rules);
}

/** Returns the rules that have taken the place of these. */
async function* expiredByAll(
  deps: ExpiryDeps,
  userId: string,
  rules: readonly RetentionRule[],
): AsyncGenerator<ChosenContext[], RetentionRule[] | undefined> {
  for (const rule of rules)
    for await (const page of expiredBy(deps, userId, rule)) {
      const stored = await rulesFor(deps, userId);
      if (!isDeepStrictEqual(stored, rules)) return stored;
      yield page;
    }
  return undefined;
}

/** Pages of contexts that a rule lets go. */
async function* expiredBy(
  { stores, clock }: Pick<Deps, "stores" | "clock">,
  userId: string,
  { keepDays, type, privacyLevel, site }: RetentionRule,
): AsyncGenerator<ChosenContext[]> {
  const until = clock() - keepDays * dayMs;
  const levels = privacyLevel === undefined ? privacyLevels : [privacyLevel];
  const isOfSite = site === undefined ? () => true : siteMatcher(site);
  for (let place: ChosenContext | undefined; ;) {
    const page = await stores.data.readHeads(userId, { until, type, levels }, place, sliceContexts);
    if (page.length === 0) return;
    yield page.filter(({ url }) => isOfSite(url));
    place = page.at(-1);
  }
}

/** The body that replaces a user's retention rules. Sites come out in the form in which they match. */
export const RetentionBody = z
  .record(z.string(), z.unknown(), "must be a JSON object")
  .pipe(RetentionRules)
  .transform(({ rules }, ctx): RetentionRules => {
    const normal = rules.map((rule, index): RetentionRule => {
      if (rule.site === undefined) return rule;
      const site = siteOf(rule.site);
      if (site === undefined)
        ctx.addIssue({
          code: "custom",
          path: ["rules", index, "site"],
          message: "must be a host, with a path if need be, such as bank.example or example.com/health",
        });
      return { ...rule, site: site ?? rule.site };
    });
    return { rules: normal };
  });
