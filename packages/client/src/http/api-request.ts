import { PeriscopeError } from "../errors/periscope-error.js";

/** A request to the service, ready to be sent. */
export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base address. */
  path: string;
  /** With its question mark; empty without parameters. */
  query: string;
  /** JSON, unless `type` says otherwise. */
  body?: string | Uint8Array | Blob;
  /** Media type of the body. */
  type?: string;
  /** Leaves the body of a success to the caller, who reads it for as long as it takes. */
  unread?: boolean;
  /** Whether a repeat could do more than was asked: it is not sent again once it may have taken effect. */
  unsafe?: boolean;
  /** Whether it may take an hour where neither the client nor the call has limits: it goes through all that a user has. */
  isLong?: boolean;
}

/** What a query parameter may be; undefined leaves it out. */
export type Parameter = string | number | Date | undefined;

/**
 * Parameters as a query.
 * @throws PeriscopeError when a date is none
 */
export function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters) as [string, Parameter][]) {
    if (value !== undefined) query.set(name, value instanceof Date ? isoOf(name, value) : String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

/**
 * Path of one context.
 * @throws PeriscopeError when the text can be no context's id: as a path it would name something else
 */
export function contextPath(contextId: string): string {
  if (typeof contextId !== "string" || !idThatIsNoRoute.test(contextId))
    throw new PeriscopeError(`${JSON.stringify(contextId)} cannot be a context id.`);
  return `/context/${contextId}`;
}

/**
 * Left out are the names that the routes need, and the two that the way to the server takes out of a path. A tilde is let through: no
 * context has one, which the service says without a look, after it has said whether the key may ask.
 */
const idThatIsNoRoute = /^(?!(?:current|history|search|sync|batch-sync|delete|\.\.?)$)[\w.:~-]{1,128}$/;

function isoOf(name: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new PeriscopeError(`${name} is an invalid date. Pass a valid one.`);
  return date.toISOString();
}
