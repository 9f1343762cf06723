import { isFloorKind } from "./detectors/registry.js";
import type { DetectorTier } from "./detector.js";
import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { compilePatterns, type CompiledPattern } from "./patterns.js";
import { compileDenyList, type DenyList } from "./deny-list.js";

/** Where a text comes from: contact details are removed from URLs and titles earlier than from content. */
export type Place = "content" | "title" | "url";

/** A policy, checked and ready to use. */
export interface CompiledPolicy {
  readonly source: FilterPolicy;
  readonly off: ReadonlySet<string>;
  readonly on: ReadonlySet<string>;
  readonly patterns: readonly CompiledPattern[];
  readonly denyList: DenyList | undefined;
}

const compiled = new WeakMap<FilterPolicy, CompiledPolicy>();

/** The default policy as one object, so that it is compiled once. */
export const defaultPolicy: FilterPolicy = {};

/**
 * Checks a policy and prepares it; the result is kept as long as the policy object lives, so treat policies as
 * immutable. Throws `RangeError` when a floor detector is switched off or a pattern is not provably linear.
 */
export function compilePolicy(policy: FilterPolicy): CompiledPolicy {
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  for (const kind of policy.detectorsOff ?? []) {
    if (isFloorKind(kind)) throw new RangeError(`detector ${kind} belongs to the floor and cannot be switched off`);
  }
  const result: CompiledPolicy = {
    source: policy,
    off: new Set(policy.detectorsOff),
    on: new Set(policy.detectorsOn),
    patterns: compilePatterns(policy.patterns ?? []),
    denyList: compileDenyList(policy.denyList ?? []),
  };
  compiled.set(policy, result);
  return result;
}

/** Whether detectors of a tier work on a text of this place at this level. */
export function isTierActive(tier: DetectorTier, level: PrivacyLevel, place: Place): boolean {
  if (tier === "floor") return true;
  if (level === "public") return false;
  if (tier === "financial" || tier === "government") return true;
  if (level === "private") return tier === "contact" && place !== "content";
  return true;
}
