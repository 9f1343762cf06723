import { detectorKinds, type FilterPolicy, isFloorKind, maxLevel, siteOf } from "@periscope/privacy";
import { assertLinearPattern } from "./linear-pattern.js";
import { PrivacyLevel } from "@periscope/schemas";
import { z } from "zod";

/** The operator's part of a policy; the rest is each user's own. */
export type OperatorPolicy = Omit<FilterPolicy, "siteRules" | "denyList">;

/** A policy file's content, or everything that is wrong with it: JSON path, value, what is allowed. */
export type PolicyFileResult = { ok: true; policy: OperatorPolicy } | { ok: false; problems: string[] };

/** Kinds to look for at every level: all. */
export const kindsOn: readonly string[] = detectorKinds.map(({ kind }) => kind);

/** Kinds not to look for: all but those of the floor, which are always removed. */
export const kindsOff: readonly string[] = kindsOn.filter((kind) => !isFloorKind(kind));

/** Why a name is not among `kinds` although it is a kind; undefined for any other name. */
export function objectionTo(name: unknown, kinds: readonly string[]): string | undefined {
  const isFloor = typeof name === "string" && isFloorKind(name) && !kinds.includes(name);
  return isFloor ? "belongs to the floor, which cannot be switched off" : undefined;
}

const siteAllowed = "a host, optionally with a path, such as bank.example or example.com/health";

const kindName = /^[a-z][a-z0-9_]{0,31}$/;
const kindAllowed = "a lower-case letter, then up to 31 of a-z 0-9 _";

const Level = z.enum(PrivacyLevel.options, { error: `allowed: ${PrivacyLevel.options.join(", ")}` });

const Site = z.string(`allowed: ${siteAllowed}`).transform((text, ctx) => {
  const site = siteOf(text);
  if (site !== undefined) return site;
  ctx.addIssue(`allowed: ${siteAllowed}`);
  return z.NEVER;
});
const Sites = z.array(Site, "allowed: an array of sites");

const Kinds = (kinds: readonly string[]) => {
  const error = ({ input }: { input?: unknown }) => [objectionTo(input, kinds), `allowed: ${kinds.join(", ")}`].filter(Boolean).join("; ");
  return z.array(z.enum(kinds, { error }), "allowed: an array of kinds").exactOptional();
};

const Pattern = z.strictObject(
  {
    kind: z.string(`allowed: ${kindAllowed}`).regex(kindName, `allowed: ${kindAllowed}`),
    pattern: z.string("allowed: a regular expression").check((ctx) => {
      const why = patternProblem(ctx.value);
      if (why !== undefined) ctx.issues.push({ code: "custom", input: ctx.value, message: `${why}; allowed: ${patternAllowed}` });
    }),
    from: Level.exactOptional(),
  },
  { error: objectError(["kind", "pattern", "from"]) },
);

const patternAllowed =
  "literals, classes and groups that are not repeated, with bounded repetition of single characters or classes, such as PCL-[0-9]{6}";

/** A built-in category that is never stored: sites added to it would vanish silently. */
const uncaptured = "password_manager";
const Category = z.strictObject({ level: Level, sites: Sites }, { error: objectError(["level", "sites"]) });

const fields = {
  minimumLevel: Level.exactOptional(),
  blockedSites: Sites.exactOptional(),
  categories: z
    .record(z.string().regex(kindName), Category, {
      error: ({ code }) => (code === "invalid_key" ? `name of a category; allowed: ${kindAllowed}` : "allowed: an object of categories"),
    })
    .check(({ value, issues }) => {
      if (Object.hasOwn(value, uncaptured))
        issues.push({
          code: "custom",
          input: value,
          path: [uncaptured],
          message: "nothing of such sites is stored, whatever the level; allowed: list them in blockedSites",
        });
    })
    .exactOptional(),
  detectorsOff: Kinds(kindsOff),
  detectorsOn: Kinds(kindsOn),
  patterns: z.array(Pattern, "allowed: an array of patterns").exactOptional(),
};
const PolicyFile = z.strictObject(fields, { error: objectError(Object.keys(fields)) });

/** Reads the text of a policy file. Unknown names are problems, too. */
export function readPolicy(text: string): PolicyFileResult {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { ok: false, problems: [`is not JSON: ${(error as Error).message.split("\n")[0]}`] };
  }
  const { data, error } = PolicyFile.safeParse(json);
  if (error === undefined) return { ok: true, policy: data };
  return { ok: false, problems: error.issues.flatMap((issue) => problemsOf(issue, json)) };
}

interface PolicySettings {
  minimumLevel: PrivacyLevel;
  blockedSites: readonly string[];
  detectorsOff: readonly string[];
  detectorsOn: readonly string[];
}

/** The policy of file and settings together: the higher level, all sites, all kinds. */
export function combinePolicy(file: OperatorPolicy, settings: PolicySettings): Required<OperatorPolicy> {
  const both = (a: readonly string[] = [], b: readonly string[]) => [...new Set([...a, ...b])];
  return {
    minimumLevel: maxLevel(file.minimumLevel ?? "public", settings.minimumLevel),
    blockedSites: both(file.blockedSites, settings.blockedSites),
    categories: file.categories ?? {},
    detectorsOff: both(file.detectorsOff, settings.detectorsOff),
    detectorsOn: both(file.detectorsOn, settings.detectorsOn),
    patterns: file.patterns ?? [],
  };
}

/** Kinds that a policy switches both on and off. */
export function contradictions({ detectorsOff = [], detectorsOn = [] }: OperatorPolicy): string[] {
  return detectorsOff.filter((kind) => detectorsOn.includes(kind));
}

/** Why a pattern is rejected; undefined when it is fine. */
function patternProblem(pattern: string): string | undefined {
  try {
    assertLinearPattern(pattern);
    return new RegExp(pattern, "u").test("") ? "matches the empty text" : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function objectError(names: readonly string[]): (issue: z.core.$ZodRawIssue) => string {
  return ({ code }) =>
    code === "unrecognized_keys" ? `unknown; allowed: ${names.join(", ")}` : `allowed: an object of ${names.join(", ")}`;
}

function problemsOf(issue: z.core.$ZodIssue, json: unknown): string[] {
  const paths = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) => {
    const given = path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], json);
    return `${jsonPath(path)}: ${given === undefined ? "is missing" : `got ${shortJson(given)}`}; ${issue.message}`;
  });
}

/** `patterns[0].kind`; `the file` for the whole. */
function jsonPath(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return text === "" ? "the file" : text.replace(/^\./, "");
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
