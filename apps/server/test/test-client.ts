import type { PrivacyRules } from "@periscope/schemas";

/** An answer as it came over the wire; `body` is parsed JSON, undefined when there was none. */
export interface Answer<T = any> {
  status: number;
  headers: Headers;
  body: T;
  /** When it was asked for, by this process's clock: milliseconds since the epoch. */
  askedAt: number;
}

/** Calls the service over HTTP with one key. */
export class TestClient {
  readonly userId: string;
  readonly keyId: string;
  readonly key: string;

  constructor(private readonly options: { baseUrl: () => string; key: string; userId: string; keyId: string }) {
    ({ userId: this.userId, keyId: this.keyId, key: this.key } = options);
  }

  /** The same key at another server. */
  at(baseUrl: () => string): TestClient {
    return new TestClient({ ...this.options, baseUrl });
  }

  get = (path: string): Promise<Answer> => this.send("GET", path);
  delete = (path: string): Promise<Answer> => this.send("DELETE", path);
  post = (path: string, body: unknown): Promise<Answer> => this.#sendJson("POST", path, body);
  put = (path: string, body: unknown): Promise<Answer> => this.#sendJson("PUT", path, body);

  #sendJson(method: string, path: string, body: unknown): Promise<Answer> {
    return this.send(method, path, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  }

  /** Replaces the user's privacy rules; lists that are not given are empty. */
  putRules(rules: Partial<Record<keyof PrivacyRules, unknown>>): Promise<Answer> {
    return this.put("/privacy/rules", { blockedSites: [], siteRules: [], denyList: [], ...rules });
  }

  sync(message: unknown): Promise<Answer> {
    return this.post("/context/sync", message);
  }

  /** Syncs a message as clients do: again for as long as the answer is a 503, which a busy machine may give. */
  async syncUntilTaken(message: unknown): Promise<Answer> {
    for (;;) {
      const answer = await this.sync(message);
      if (answer.status !== 503) return answer;
    }
  }

  batch(messages: unknown[], envelope: Record<string, unknown> = {}): Promise<Answer> {
    return this.post("/context/batch-sync", { id: "batch", type: "batch", messages, ...envelope });
  }

  /** Headers in `init` replace the client's own; an undefined one is left out. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const wanted = { Authorization: `Bearer ${this.options.key}`, ...(init.headers as Record<string, string | undefined>) };
    const headers = Object.entries(wanted).filter((header): header is [string, string] => header[1] !== undefined);
    const askedAt = Date.now();
    const response = await fetch(this.options.baseUrl() + path, { ...init, method, headers });
    const text = await textOf(response);
    const isJson = /^(?:application\/json|text\/event-stream)/.test(response.headers.get("content-type") ?? "application/json");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text || undefined,
      askedAt,
    };
  }
}

/** The whole answer; of a stream of events the data of the first, and the stream is closed. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream") || !response.body) return await response.text();
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, data] = /^data: (.*)$/m.exec(text) ?? [];
    if (data !== undefined && text.endsWith("\n\n")) return data;
  }
  return "";
}
