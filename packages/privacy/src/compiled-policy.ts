import { isLevel } from "./arguments.js";
import { passwordManagers } from "./data/site-categories.js";
import { detectorKinds, isFloorKind } from "./detectors/registry.js";
import type { DetectorTier } from "./detector.js";
import { type PrivacyLevel, privacyLevels } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { compilePatterns, type CompiledPattern } from "./patterns.js";
import { compileDenyList, type DenyList } from "./deny-list.js";

/** Where a text comes from: contact details are removed from URLs and titles earlier than from content. */
export type Place = "content" | "title" | "url";

/** A policy, checked and ready to use. */
export interface CompiledPolicy {
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
 * immutable. Throws `RangeError` when it is no object, has a field, names a level or a kind that there is not, adds to the category of password managers,
 * switches a floor detector off, or has a pattern that does not compile.
 */
export function compilePolicy(policy: FilterPolicy): CompiledPolicy {
  if (typeof policy !== "object" || (policy as unknown) === null)
    throw new RangeError("a policy is an object; leave it out for the default");
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  requireFields(policy);
  requireLevels(policy);
  requireCategories(policy);
  requireKinds(policy);
  const result: CompiledPolicy = {
    off: new Set(policy.detectorsOff),
    on: new Set(policy.detectorsOn),
    patterns: compilePatterns(policy.patterns ?? []),
    denyList: compileDenyList(policy.denyList ?? []),
  };
  compiled.set(policy, result);
  return result;
}

const fields: ReadonlySet<string> = new Set<keyof FilterPolicy>([
  "minimumLevel",
  "blockedSites",
  "siteRules",
  "denyList",
  "categories",
  "detectorsOff",
  "detectorsOn",
  "patterns",
]);

/** A misspelt field would be no rule at all, and nobody would notice. */
function requireFields(policy: FilterPolicy): void {
  const unknown = Object.keys(policy).find((name) => !fields.has(name));
  if (unknown !== undefined) throw new RangeError(`a policy has no field ${unknown}; it has ${[...fields].join(", ")}`);
}

function requireKinds({ detectorsOff = [], detectorsOn = [] }: FilterPolicy): void {
  const unknown = [...detectorsOff, ...detectorsOn].find((kind) => !knownKinds.has(kind));
  if (unknown !== undefined) throw new RangeError(`there is no detector ${unknown}; detectorKinds lists what there is`);
  const floor = detectorsOff.find(isFloorKind);
  if (floor !== undefined) throw new RangeError(`detector ${floor} belongs to the floor and cannot be switched off`);
}

const knownKinds: ReadonlySet<string> = new Set(detectorKinds.map(({ kind }) => kind));

/** The one category whose level plays no part: a level that is given for it would be ignored in silence. */
function requireCategories({ categories = {} }: FilterPolicy): void {
  if (Object.hasOwn(categories, passwordManagers))
    throw new RangeError(`categories.${passwordManagers}: sites of this category are not captured at all; list them in blockedSites`);
}

/** An unknown level would count as lower, or as higher, than it was meant. */
function requireLevels({ minimumLevel = "public", siteRules = [], categories = {}, patterns = [] }: FilterPolicy): void {
  const named: Array<readonly [where: string, level: unknown]> = [
    ["minimumLevel", minimumLevel],
    ...siteRules.map(({ level }) => ["siteRules", level] as const),
    ...Object.entries(categories).map(([category, { level }]) => [`categories.${category}`, level] as const),
    ...patterns.map(({ from = "filtered" }) => ["patterns", from] as const),
  ];
  const wrong = named.find(([, level]) => !isLevel(level));
  if (wrong !== undefined) throw new RangeError(`${wrong[0]} of a policy must name one of the levels ${privacyLevels.join(", ")}`);
}

/** Whether detectors of a tier work on a text of this place at this level. */
export function isTierActive(tier: DetectorTier, level: PrivacyLevel, place: Place): boolean {
  if (tier === "floor") return true;
  if (level === "public") return false;
  if (tier === "financial" || tier === "government") return true;
  if (level === "private") return tier === "contact" && place !== "content";
  return true;
}
