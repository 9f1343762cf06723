import type { Issue } from "../errors/call-errors.js";
import type { Shape } from "./shape.js";

const issuesMax = 10;
// A page has the same few expressions many times.
const expressions = new Map<string, RegExp>();
const fields = new WeakMap<object, Field[]>();
// `Date.parse` alone reads times into much else.
const isoStart = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A field of an object's shape. */
type Field = readonly [name: string, isOptional: boolean, shape: Shape];

/** What of a JSON value is not as the shape says: at most ten places, none when all of it is. */
export function findIssues(shape: Shape, value: unknown): Issue[] {
  const issues: Issue[] = [];
  look(shape, value, "");
  return issues;

  function look(shape: Shape, value: unknown, path: string): void {
    if (!isTuple(shape) && typeof shape === "object") {
      if (!expect(isObject(value), path, shape)) return;
      for (const [name, isOptional, inner] of fieldsOf(shape)) {
        const found = (value as Record<string, unknown>)[name];
        if (found !== undefined || !isOptional) look(inner, found, path === "" ? name : `${path}.${name}`);
      }
    } else if (shape[0] === "list" || shape[0] === "record") {
      const [kind, inner] = shape as readonly ["list" | "record", Shape];
      if (!expect(kind === "list" ? Array.isArray(value) : isObject(value), path, shape)) return;
      for (const [name, item] of Object.entries(value as object)) look(inner, item, `${path}.${name}`);
    } else if (!isOne(shape, value)) {
      expect(false, path, shape);
    }
  }

  function expect(holds: boolean, path: string, shape: Shape): boolean {
    if (!holds && issues.length < issuesMax) issues.push({ path, message: `must be ${describeShape(shape)}` });
    return holds;
  }
}

/** Whether a value without parts is as its shape says. */
function isOne(shape: Exclude<Shape, object> | Extract<Shape, readonly unknown[]>, value: unknown): boolean {
  if (shape === "any") return true;
  if (shape === "time") return typeof value === "string" && isoStart.test(value) && Date.parse(value) > -Infinity;
  if (typeof shape === "string") return typeof value === shape;
  const [kind, ...details] = shape;
  if (kind === "one") return details.includes(value as never);
  if (kind === "matches") return typeof value === "string" && expressionOf(shape[1]).test(value);
  if (kind === "either") return (details as Shape[]).some((inner) => findIssues(inner, value).length === 0);
  const [least, most] = details as (number | null)[];
  const isNumber = kind === "number" ? Number.isFinite(value) : Number.isSafeInteger(value);
  return isNumber && Number(value) >= (least ?? -Infinity) && Number(value) <= (most ?? Infinity);
}

/** What a value of this shape is, for people. */
function describeShape(shape: Shape): string {
  if (!isTuple(shape)) return typeof shape === "string" ? `a ${shape}` : "an object";
  const [kind, ...details] = shape;
  if (kind === "matches") return `a string that matches ${shape[1]}`;
  if (kind === "one") return details.map(String).join(" or ");
  if (kind === "either") return (details as Shape[]).map(describeShape).join(" or ");
  if (kind === "list" || kind === "record") return `a ${kind}`;
  const [least, most] = details as (number | null)[];
  return `a ${kind === "integer" ? "whole " : ""}number${bound("from", least)}${bound("to", most)}`;
}

const bound = (word: string, value: number | null = null) => (value === null ? "" : ` ${word} ${value}`);

function isTuple(shape: Shape): shape is Extract<Shape, readonly unknown[]> {
  return Array.isArray(shape);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(shape: Extract<Shape, { readonly [field: string]: Shape }>): Field[] {
  let found = fields.get(shape);
  if (found === undefined)
    fields.set(shape, (found = Object.entries(shape).map(([key, inner]) => [key.replace("?", ""), key.endsWith("?"), inner])));
  return found;
}

function expressionOf(source: string): RegExp {
  let expression = expressions.get(source);
  if (expression === undefined) expressions.set(source, (expression = new RegExp(source)));
  return expression;
}
