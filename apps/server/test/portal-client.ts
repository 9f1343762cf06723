import type { TestServer } from "./test-server.js";

/** An answer of the portal: the data of a procedure, or the body of an error. */
export interface PortalAnswer {
  status: number;
  data?: unknown;
  error?: { error: string; message: string };
}

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** A browser at the portal, as far as the server can see: it keeps cookies, and names its origin. */
export class PortalClient {
  /** What it sends as its cookies. */
  cookie = "";
  /** The `Set-Cookie` headers of the last answer. */
  setCookies: string[] = [];

  constructor(readonly server: Pick<TestServer, "baseUrl" | "address">) {}

  /** The owner's browser, just after the account was made. */
  static async owner(server: TestServer, person: Person): Promise<{ browser: PortalClient; userId: string; key: string }> {
    const browser = new PortalClient(server);
    const token = await server.invites.createSetupToken();
    const { data } = await browser.mutate("setup.complete", { token, ...person });
    return { browser, ...(data as { userId: string; key: string }) };
  }

  /** What it sends as its origin: where the portal says that it is. */
  get origin(): string {
    return new URL(this.server.baseUrl).origin;
  }

  query(procedure: string, input?: unknown): Promise<PortalAnswer> {
    const search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.#call("GET", `/portal/trpc/${procedure}${search}`);
  }

  mutate(procedure: string, input?: unknown): Promise<PortalAnswer> {
    return this.#call("POST", `/portal/trpc/${procedure}`, input ?? {});
  }

  signIn({ email, password }: Pick<Person, "email" | "password">): Promise<PortalAnswer> {
    return this.mutate("session.signIn", { email, password });
  }

  /** Erases a user: the receipt is the data. Without a user, it is the person, whose email confirms it. */
  async erase(wanted: { confirm: string; userId?: string }): Promise<PortalAnswer> {
    const res = await this.send("POST", "/portal/erase", wanted);
    const last = JSON.parse((await res.text()).trimEnd().split("\n").at(-1) ?? "") as { report: unknown };
    return res.status === 200 ? { status: 200, data: last.report } : { status: res.status, error: last as never };
  }

  /** Sends a request as the browser does; `headers` are further ones, undefined leaves one out. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string | undefined> = {}): Promise<Response> {
    const own: Record<string, string | undefined> = {
      Cookie: this.cookie || undefined,
      ...(method === "GET" ? {} : { Origin: this.origin, "Content-Type": "application/json" }),
      ...headers,
    };
    const sent = Object.entries(own).filter((header): header is [string, string] => header[1] !== undefined);
    const json = method === "GET" ? null : JSON.stringify(body);
    const res = await fetch(new URL(path, this.server.address), { method, headers: sent, body: json, redirect: "manual" });
    this.setCookies = res.headers.getSetCookie();
    const jar = new Map(this.cookie.split("; ").flatMap((pair) => (pair === "" ? [] : [pair.split(/=(.*)/s) as [string, string]])));
    for (const line of this.setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    this.cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    return res;
  }

  async #call(method: string, path: string, body?: unknown): Promise<PortalAnswer> {
    const res = await this.send(method, path, body);
    const answer = (await res.json()) as { result?: { data: unknown }; error?: { data: PortalAnswer["error"] } };
    if (answer.result) return { status: res.status, data: answer.result.data };
    return { status: res.status, error: answer.error?.data ?? (answer as never) };
  }
}
