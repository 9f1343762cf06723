// Registered globally, so that an error is recognised whichever copy of this package made it.
const brand = Symbol.for("@periscope/client.error");

/** What every error of this package is made of. */
export interface ErrorDetails {
  /** Whether the same call, made again unchanged, can succeed. */
  retryable?: boolean;
  /** Requests that this call sent. */
  attempts?: number;
  /** Identifier of the last answer, for reports to the operator; null when there was none. */
  requestId?: string | null;
  cause?: unknown;
}

/** A class of the tree, as {@link PeriscopeError.is} sees it. */
interface ErrorClass<T> {
  readonly kind: string;
  readonly prototype: T;
}

/**
 * Base of every error that this package throws. None of them holds the API key.
 *
 * @example
 * try {
 *   await periscope.get(id);
 * } catch (error) {
 *   if (RateLimitError.is(error)) console.log("again at", error.resetAt);
 *   else if (PeriscopeError.is(error)) console.log(error.message, error.requestId);
 *   else throw error;
 * }
 */
export class PeriscopeError extends Error {
  /** Name of the class, also where a minifier has renamed it. */
  static readonly kind: string = "PeriscopeError";

  static {
    // On the prototype, so that the stack begins with it too. By `this`: the bundler renames a class that names itself.
    const get = function (this: PeriscopeError) {
      return (this.constructor as typeof PeriscopeError).kind;
    };
    Object.defineProperty(this.prototype, "name", { get, configurable: true });
  }

  /** Whether the same call, made again unchanged, can succeed. */
  readonly retryable: boolean;
  /** Requests that the call sent; 0 when it ended before the first. */
  readonly attempts: number;
  /** The `X-Request-Id` of the last answer, for reports to the operator; null when there was none. */
  readonly requestId: string | null;

  constructor(message: string, { retryable = false, attempts = 0, requestId = null, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
    this.attempts = attempts;
    this.requestId = requestId;
    Object.defineProperty(this, brand, { value: kindsOf(new.target) });
  }

  /**
   * Whether something thrown is an error of this class or of one below it. Unlike `instanceof`, it holds across copies of this
   * package, as when a library brings its own.
   *
   * @example
   * if (NotFoundError.is(error)) return undefined;
   */
  static is<T>(this: ErrorClass<T>, thrown: unknown): thrown is T {
    const kinds: unknown = typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, brand) : undefined;
    return Array.isArray(kinds) && kinds.includes(this.kind);
  }

  /** The error as it is written into a structured log: without stack and cause. */
  toJSON(): Record<string, unknown> {
    return Object.assign({ name: this.name, message: this.message } as Record<string, unknown>, this);
  }
}

/** The class and those above it that are ours. */
function kindsOf(ownClass: unknown): string[] {
  const kinds: string[] = [];
  for (let one = ownClass; typeof one === "function" && "kind" in one; one = Object.getPrototypeOf(one) as unknown)
    kinds.push(String(one.kind));
  return kinds;
}
