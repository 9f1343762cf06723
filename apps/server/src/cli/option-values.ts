import { InvalidArgumentError } from "commander";
import { UserId } from "@periscope/schemas";
import { allScopes, Scope } from "../access/scope.js";

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 } as const;

/** Milliseconds of a duration such as `12h` or `90d`; units are m (minutes), h, d, w and y (365 days). */
export function durationOption(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([mhdwy])$/.exec(text) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (Number.isNaN(ms)) throw new InvalidArgumentError("Allowed: a number and m, h, d, w or y, such as 90d.");
  return ms;
}

/** Scopes from a comma-separated list, in the order of the contract. */
export function scopesOption(text: string): Scope[] {
  const words = text.split(",").map((word) => word.trim());
  if (!words.every((word) => Scope.safeParse(word).success))
    throw new InvalidArgumentError(`Allowed: ${allScopes.join(", ")}, separated by commas.`);
  return allScopes.filter((scope) => words.includes(scope));
}

/** A user id. */
export function userIdOption(text: string): string {
  if (!UserId.safeParse(text).success) throw new InvalidArgumentError("Allowed: 1 to 128 characters of A-Z a-z 0-9 _ . : -");
  return text;
}
