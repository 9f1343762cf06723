import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { siteOf } from "@periscope/privacy";
import { isPostgresUrl } from "./database-url.js";
import { kindsOff, kindsOn, type NamedKinds } from "./privacy/named-kinds.js";

/** How a setting is read from its text. */
export interface ValueFormat<T> {
  /** What is allowed, in words that fit after "allowed:". */
  allowed: string;
  /** The value, or undefined when the text is not allowed. */
  read: (text: string) => T | undefined;
  /** A better answer than `allowed` to a text that was refused, where there is one. */
  explain?: (text: string) => string | undefined;
}

/** A whole number within bounds, written in plain digits: `1e3`, `0x10`, `+5` and `5.0` are refused. */
export function wholeNumber(minimum: number, maximum: number, note = ""): ValueFormat<number> {
  return {
    allowed: `a whole number from ${minimum} to ${maximum}${note}`,
    read: (text) => {
      const value = /^(?:0|[1-9]\d{0,9})$/.test(text) ? Number(text) : NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): ValueFormat<Word> {
  return { allowed: words.join(", "), read: (text) => words.find((word) => word === text) };
}

/** How many processes: a number, or one a core of this machine. */
export const processCount: ValueFormat<number> = {
  allowed: "auto (one a core of this machine) or a whole number from 1 to 256",
  read: (text) => (text === "auto" ? Math.min(availableParallelism(), 256) : wholeNumber(1, 256).read(text)),
};

/** The words `true` and `false` only. */
export const trueOrFalse: ValueFormat<boolean> = {
  allowed: "true, false",
  read: (text) => (text === "true" ? true : text === "false" ? false : undefined),
};

/** A path, kept as given. */
export const directory: ValueFormat<string> = {
  allowed: "a directory; it is created when missing",
  read: (text) => (text === "" || text.includes("\0") ? undefined : text),
};

/** An address to listen on; IPv6 also in brackets. */
export const listenHost: ValueFormat<string> = {
  allowed: "an IP address or a host name, without scheme and port",
  read: (text) => {
    const host = text.replace(/^\[(.*)\]$/, "$1");
    return isIP(host) !== 0 || isHostName(host) ? host : undefined;
  },
};

/**
 * Where the database is: a `postgres:` URL as it is, or the literal path behind `file:` or `sqlite:`; `//` and `//localhost` before an
 * absolute one are dropped.
 */
export const database: ValueFormat<string> = {
  allowed:
    "file: or sqlite: and the path of the database file, such as file:/var/lib/periscope/periscope.db; or the address of a PostgreSQL database, such as postgres://user:password@host:5432/periscope",
  read: (text) => {
    if (isPostgresUrl(text)) return isPostgresDatabase(text) ? text : undefined;
    const [, path = ""] = /^(?:file|sqlite):(?:\/\/(?:localhost)?\/?(?=\/))?([^?#\0]+)$/i.exec(text) ?? [];
    return path === "" || path.startsWith("//") || path.endsWith("/") || path.includes(":memory:") ? undefined : path;
  },
  explain: (text) =>
    isPostgresUrl(text)
      ? "this is no address of a PostgreSQL database; allowed: postgres://user:password@host:5432/database, signs in the password percent-encoded"
      : undefined,
};

function isPostgresDatabase(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^\/[^/]+$/.test(url.pathname) && url.hash === "";
}

/** The address under which clients reach the service, without a trailing slash. */
export const publicAddress: ValueFormat<string> = {
  allowed: "an http or https address without /api/v1, user, password, ? and #, such as https://periscope.example.com",
  read: (text) => {
    const url = webUrl(text);
    const path = url?.pathname.replace(/\/+$/, "") ?? "";
    return url === null || path.endsWith("/api/v1") ? undefined : url.origin + path;
  },
};

/** A comma-separated list of origins, as browsers send them. */
export const origins: ValueFormat<readonly string[]> = {
  allowed: "origins separated by commas, such as https://app.example.com,http://localhost:5173",
  read: commaList((item) => {
    if (/^(?:chrome|moz|safari-web)-extension:\/\/[a-z0-9-]+$/i.test(item)) return item.toLowerCase();
    const url = webUrl(item);
    return url?.pathname === "/" ? url.origin : undefined;
  }),
};

/** A comma-separated list of sites: a host with everything below it, optionally with a path prefix. */
export const sites: ValueFormat<readonly string[]> = {
  allowed: "hosts, each with a path if need be, separated by commas, such as bank.example,example.com/health",
  read: commaList(siteOf),
};

/** A comma-separated list of kinds that the privacy filter looks for. */
export const detectorsOn: ValueFormat<readonly string[]> = kindList(kindsOn);

/** The same without the kinds of the floor, which are looked for whatever is set. */
export const detectorsOff: ValueFormat<readonly string[]> = kindList(kindsOff);

/** A path of a file that must be there, kept as given. */
export const policyFile: ValueFormat<string> = {
  allowed: "the path of a JSON file, as docs/privacy.md describes it",
  read: (text) => (text === "" || text.includes("\0") ? undefined : text),
};

const labels = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

// A last label of digits alone makes it an IPv4 address, and then a wrong one.
const isHostName = (host: string) => labels.test(host) && !/(?:^|\.)\d+$/.test(host);

const itemsOf = (text: string) => text.split(",").flatMap((item) => item.trim() || []);

function commaList(read: (item: string) => string | undefined): (text: string) => readonly string[] | undefined {
  return (text) => {
    const values = itemsOf(text).map(read);
    return values.every((value) => value !== undefined) ? [...new Set(values)] : undefined;
  };
}

function kindList({ kinds, allowed, objection }: NamedKinds): ValueFormat<readonly string[]> {
  return {
    allowed: `kinds separated by commas: ${allowed}`,
    read: commaList((item) => kinds.find((kind) => kind === item)),
    explain: (text) => {
      const wrong = itemsOf(text).find((item) => objection(item) !== undefined);
      return wrong === undefined ? undefined : `${wrong} ${objection(wrong)}; allowed: ${allowed}`;
    },
  };
}

/** An http or https URL that carries nothing but an address and a path. */
function webUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.username + url.password + url.search + url.hash === "" ? url : null;
}
