import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { contextAnswer } from "../test/answers.js";
import { failureOf } from "../test/failure-of.js";
import { answers, page, ScriptedService } from "../test/scripted-service.js";
import { ApiError, NotFoundError, Periscope, PeriscopeError, type PeriscopeOptions } from "./index.js";

afterEach(() => vi.unstubAllEnvs());

const key = "psk_abc_0123456789";
const baseUrl = "http://periscope.test/api/v1";

describe("settings", () => {
  it("come from the environment, and options go before it", () => {
    vi.stubEnv("PERISCOPE_BASE_URL", " http://one.test/api/v1\n");
    vi.stubEnv("PERISCOPE_API_KEY", key);
    expect(new Periscope().baseUrl).toBe("http://one.test/api/v1");
    expect(new Periscope({ baseUrl: "http://two.test/api/v1" }).baseUrl).toBe("http://two.test/api/v1");
  });

  it.each<[PeriscopeOptions, string]>([
    [{ apiKey: key }, "PERISCOPE_BASE_URL"],
    [{ baseUrl }, "PERISCOPE_API_KEY"],
    [{ baseUrl, apiKey: " " }, "apiKey is empty"],
    [{ baseUrl: "127.0.0.1:3000", apiKey: key }, "baseUrl"],
    [{ baseUrl: "ftp://periscope.test", apiKey: key }, "baseUrl"],
    [{ baseUrl: "http://kay:secret@periscope.test", apiKey: key }, "baseUrl"],
    [{ baseUrl: "http://periscope.test?a=1", apiKey: key }, "baseUrl"],
    [{ baseUrl: "http://", apiKey: key }, "baseUrl"],
    [{ baseUrl, apiKey: key, deadlineMs: Infinity }, "deadlineMs"],
    [{ baseUrl, apiKey: key, timeoutMs: 0 }, "timeoutMs"],
    [{ baseUrl, apiKey: key, timeoutMs: NaN }, "timeoutMs"],
    [{ baseUrl, apiKey: key, maxRetries: -1 }, "maxRetries"],
    [{ baseUrl, apiKey: key, logLevel: "loud" as "off" }, "logLevel"],
  ])("throw at once what is missing or wrong, and quote no secret: %j", (options, setting) => {
    vi.stubEnv("PERISCOPE_BASE_URL", "");
    vi.stubEnv("PERISCOPE_API_KEY", undefined);
    expect(() => new Periscope(options)).toThrow(setting);
    expect(() => new Periscope(options)).toThrow(PeriscopeError);
    expect(() => new Periscope(options)).not.toThrow(/secret|psk_/);
  });

  it.each([
    ["http://periscope.test", "http://periscope.test/api/v1"],
    ["http://periscope.test/", "http://periscope.test/api/v1"],
    ["https://periscope.test/behind/a/proxy/", "https://periscope.test/behind/a/proxy/api/v1"],
    ["https://periscope.test/api/v2//", "https://periscope.test/api/v2"],
    ["http://[::1]:3000/api/v1/", "http://[::1]:3000/api/v1"],
  ])("take %s for %s", (given, used) => {
    expect(new Periscope({ baseUrl: given, apiKey: key }).baseUrl).toBe(used);
  });

  it("refuse a key in a web page, where visitors could read it, and take a function", () => {
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", {});
    expect(() => new Periscope({ baseUrl, apiKey: key })).toThrow("web page");
    expect(new Periscope({ baseUrl, apiKey: () => key }).baseUrl).toBe(baseUrl);
  });

  it("are wrong for a call too", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    expect(await failureOf(service.client().current({}, { deadlineMs: 0 }))).toMatchObject({ name: "PeriscopeError" });
  });

  it("can be changed in a copy", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    const headers = { "X-Team": "one" };
    const first = service.client({ headers });
    const second = first.with({ apiKey: "psk_other_0123456789", headers: { "X-Team": "two" } });
    headers["X-Team"] = "changed later";
    await first.current();
    await second.current({}, { headers: { "X-Call": "3" } });
    expect(service.received.map(({ headers }) => [headers.get("authorization"), headers.get("x-team"), headers.get("x-call")])).toEqual([
      ["Bearer psk_test_0123456789", "one", null],
      ["Bearer psk_other_0123456789", "two", "3"],
    ]);
  });

  it("take a fetch that may be no method of another object, as that of a browser", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    const own: typeof fetch = function (this: unknown, ...request) {
      if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
      return globalThis.fetch(...request);
    };
    expect(await service.client({ fetch: own, maxRetries: 0 }).current()).toMatchObject({ contextId: "ctx_1" });
  });

  it("give a fetch an address as a text, since one of another library knows no Request of the runtime", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    const asked: unknown[] = [];
    const own: typeof fetch = (address, init) => {
      asked.push(address, init?.method, new Headers(init?.headers).get("accept"), init?.redirect);
      return globalThis.fetch(address, init);
    };
    await service.client({ fetch: own }).current({ tabId: "7" });
    expect(asked).toEqual(["http://periscope.test/api/v1/context/current?tabId=7", "GET", "application/json", "manual"]);
  });

  it("do not let headers take the place of the key", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    await service.client().current({}, { headers: { authorization: "Bearer other" } });
    expect(service.received[0]?.headers.get("authorization")).toBe("Bearer psk_test_0123456789");
  });

  it.each([{ "X-Team": "名" }, { "X Team": "one" }])("say which header cannot be sent, and do not try: %j", async (headers) => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    const [name] = Object.keys(headers);
    for (const call of [service.client({ headers }).current(), service.client().current({}, { headers })]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ name: "PeriscopeError", attempts: 0, retryable: false });
      expect(String(error)).toContain(`headers: HTTP does not allow the name or the value of "${name}"`);
    }
    expect(service.received).toEqual([]);
  });

  it("show no key, however the client is printed", () => {
    const client = new Periscope({ baseUrl, apiKey: key, headers: { "X-Gateway": "hidden" } });
    const printed = [inspect(client, { showHidden: true, depth: 9 }), JSON.stringify({ client }), inspect({ client })];
    for (const text of printed) expect(text).not.toMatch(/psk_|hidden/);
    expect(printed[1]).toContain(baseUrl);
  });
});

describe("errors", () => {
  it("match each class above them across copies of the package, and no other", async () => {
    vi.resetModules();
    const copy = await import("./index.js");
    expect(copy.NotFoundError).not.toBe(NotFoundError);
    const error = new copy.NotFoundError("gone", { status: 404, code: "not_found", body: null });
    expect([error instanceof NotFoundError, NotFoundError.is(error), ApiError.is(error), PeriscopeError.is(error)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(copy.RateLimitError.is(error)).toBe(false);
    for (const other of [new Error("x"), null, undefined, "text", { name: "NotFoundError" }]) expect(PeriscopeError.is(other)).toBe(false);
  });

  it("say what happened and what to do, with the id for the operator", async () => {
    using service = new ScriptedService(page(502));
    const error = await failureOf(service.client({ maxRetries: 0 }).search("lamp"));
    expect(String(error)).toBe(
      "ServerError: GET /context/search: 502 http_502, not an answer of Periscope; check baseUrl http://periscope.test/api/v1, and proxies on the way.",
    );
    expect((error as Error).stack).toContain("ServerError: GET");
  });

  it("show the address in use where there is no Periscope, without a key in it", async () => {
    const client = new Periscope({
      baseUrl: `http://periscope.test/${key}/mcp`,
      apiKey: key,
      fetch: async () => new Response("", { status: 404 }),
    });
    expect(await failureOf(client.search("lamp"))).toMatchObject({
      name: "NotFoundError",
      message: expect.stringContaining("check baseUrl http://periscope.test/[key]/mcp/api/v1, and proxies on the way."),
    });
  });

  it("count the requests that were sent", async () => {
    using service = new ScriptedService(() => Response.error());
    const messages = await Promise.all(
      [0, 1].map(async (maxRetries) => String(await failureOf(service.client({ maxRetries }).search("lamp")))),
    );
    expect(messages).toEqual([expect.stringContaining("sent once: no answer"), expect.stringContaining("sent 2 times: no answer")]);
  });

  it("can be written into a log as JSON", () => {
    const error = new NotFoundError("gone", { status: 404, code: "not_found", body: { error: "not_found" }, attempts: 1, requestId: "r1" });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "NotFoundError",
      message: "gone",
      status: 404,
      code: "not_found",
      body: { error: "not_found" },
      attempts: 1,
      requestId: "r1",
      retryable: false,
    });
  });
});
