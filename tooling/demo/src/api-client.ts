import { setTimeout as delay } from "node:timers/promises";
import { ErrorBody } from "@periscope/schemas";

const attemptsMax = 5;
const requestMsMax = 60_000;

/** What reads an answer: any of the contract's schemas. */
export interface AnswerSchema<T> {
  parse(answer: unknown): T;
}

/** Calls a Periscope with one key, and waits out rate limits. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #signal: AbortSignal | undefined;

  constructor(baseUrl: string, key: string, signal?: AbortSignal) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#signal = signal;
  }

  /** @throws Error that names the request, the status and the server's message when the answer is not 2xx */
  async get<T>(path: string, query: Record<string, string | number>, schema: AnswerSchema<T>): Promise<T> {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return schema.parse(await this.#send("GET", `${path}?${parameters.toString()}`, undefined));
  }

  /** @throws as `get` */
  async post<T>(path: string, json: string, schema: AnswerSchema<T>): Promise<T> {
    return schema.parse(await this.#send("POST", path, json));
  }

  async #send(method: string, path: string, body: string | undefined): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(this.#baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${this.#key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        body: body ?? null,
        signal: AbortSignal.any([AbortSignal.timeout(requestMsMax), ...(this.#signal === undefined ? [] : [this.#signal])]),
      });
      const answer: unknown = await response.json();
      if (response.ok) return answer;
      if (response.status !== 429 || attempt === attemptsMax)
        throw new Error(`${method} ${path} was answered ${response.status} ${reasonIn(answer)}`);
      await delay(waitMs(response.headers), undefined, { signal: this.#signal });
    }
  }
}

/** Milliseconds until the window resets, from the header in Unix seconds; at least one second, at most two minutes. */
export function waitMs(headers: Headers, now: number = Date.now()): number {
  const reset = Number(headers.get("x-ratelimit-reset")) * 1_000 - now;
  return Math.min(120_000, Math.max(1_000, Number.isFinite(reset) ? reset : 1_000));
}

function reasonIn(answer: unknown): string {
  const body = ErrorBody.safeParse(answer);
  return body.success ? `${body.data.error}: ${body.data.message}` : JSON.stringify(answer).slice(0, 200);
}
