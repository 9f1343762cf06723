import { createHash, randomBytes } from "node:crypto";
import type { PortalAnswer, PortalClient } from "./portal-client.js";
import type { TestServer } from "./test-server.js";

/** Where the tests' programs wait for their answer. */
export const callback = "http://127.0.0.1:7777/callback";

interface Agreement {
  scopes?: string[];
  maxPrivacyLevel?: string;
}

/** A program that asks a person for access, request by request, so that each can be made wrongly. */
export class OAuthAgent {
  readonly verifier = randomBytes(32).toString("base64url");

  private constructor(
    private readonly server: Pick<TestServer, "baseUrl">,
    readonly clientId: string,
  ) {}

  static async register(server: Pick<TestServer, "baseUrl">, metadata: object = {}): Promise<OAuthAgent> {
    const { body } = await postJson(server, "/oauth/register", { client_name: "Notebook", redirect_uris: [callback], ...metadata });
    return new OAuthAgent(server, body["client_id"] as string);
  }

  /** The same program at another server. */
  at(server: Pick<TestServer, "baseUrl">): OAuthAgent {
    return new OAuthAgent(server, this.clientId);
  }

  get origin(): string {
    return new URL(this.server.baseUrl).origin;
  }

  /** The query of `/authorize`; undefined leaves a parameter out. */
  query(changes: Record<string, string | undefined> = {}): Record<string, string> {
    const query = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: callback,
      scope: "read delete",
      state: "of-the-program",
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      resource: `${this.origin}/mcp`,
      ...changes,
    };
    return Object.fromEntries(Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined));
  }

  /** What the person sees. */
  ask(browser: PortalClient, changes: Record<string, string | undefined> = {}): Promise<PortalAnswer> {
    return browser.query("agents.request", { parameters: this.query(changes) });
  }

  /** The person agrees. */
  agree(
    browser: PortalClient,
    changes: Record<string, string | undefined> = {},
    { scopes = ["read", "delete"], maxPrivacyLevel = "restricted" }: Agreement = {},
  ): Promise<PortalAnswer> {
    return browser.mutate("agents.agree", { parameters: this.query(changes), scopes, maxPrivacyLevel });
  }

  /** The code that the person's agreement takes to the program. */
  async code(browser: PortalClient, agreement: Agreement = {}): Promise<string> {
    const { data } = await this.agree(browser, {}, agreement);
    return new URL((data as { redirectTo: string }).redirectTo).searchParams.get("code") ?? "";
  }

  /** The whole way to the first tokens. */
  async connect(browser: PortalClient, agreement: Agreement = {}): Promise<Tokens> {
    const { body } = await this.redeem(await this.code(browser, agreement));
    return { access: body["access_token"] as string, refresh: body["refresh_token"] as string };
  }

  redeem(code: string, changes: Record<string, string | undefined> = {}): Promise<OAuthAnswer> {
    const fields = {
      grant_type: "authorization_code",
      client_id: this.clientId,
      code,
      redirect_uri: callback,
      code_verifier: this.verifier,
      ...changes,
    };
    return this.#token(fields);
  }

  refresh(token: string, changes: Record<string, string | undefined> = {}): Promise<OAuthAnswer> {
    return this.#token({ grant_type: "refresh_token", client_id: this.clientId, refresh_token: token, ...changes });
  }

  /** The status of a request to `/mcp`. */
  async mcpStatus(token: string): Promise<number> {
    return (await callMcp(this.server, `Bearer ${token}`)).status;
  }

  #token(fields: Record<string, string | undefined>): Promise<OAuthAnswer> {
    return postForm(this.server, "/oauth/token", fields);
  }
}

export interface Tokens {
  access: string;
  refresh: string;
}

export interface OAuthAnswer {
  status: number;
  body: Record<string, unknown>;
}

export async function postForm(
  server: Pick<TestServer, "baseUrl">,
  path: string,
  fields: Record<string, string | undefined>,
): Promise<OAuthAnswer> {
  const body = new URLSearchParams(Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined));
  const res = await fetch(new URL(path, server.baseUrl), { method: "POST", body });
  return { status: res.status, body: (await res.json()) as Record<string, unknown> };
}

export async function postJson(server: Pick<TestServer, "baseUrl">, path: string, json: unknown): Promise<OAuthAnswer> {
  const headers = { "Content-Type": "application/json" };
  const res = await fetch(new URL(path, server.baseUrl), { method: "POST", headers, body: JSON.stringify(json) });
  return { status: res.status, body: (await res.json()) as Record<string, unknown> };
}

/** A request to `/mcp` that lists the tools. */
export function callMcp(server: Pick<TestServer, "baseUrl">, authorization?: string): Promise<Response> {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  return fetch(new URL("/mcp", server.baseUrl), { method: "POST", headers, body });
}
