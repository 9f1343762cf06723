import { expect, test } from "vitest";
import { initialSettings } from "../settings/settings.js";
import { destinationOf } from "./destination.js";

const home = { settings: { ...initialSettings, server: "https://home.example/api/v1", account: "ada" }, key: "psk_home" };
const work = { settings: { ...initialSettings, server: "https://work.example/api/v1", account: "ada at work" }, key: "psk_work" };

test("a key goes to the server that it was typed for, even if the settings change while a request is made", async () => {
  let current = home;
  const sent: string[] = [];
  const destination = destinationOf({ read: async () => current.settings, readWithKey: async () => current }, async (url, init) => {
    sent.push(`${url} ${new Headers(init.headers).get("Authorization")}`);
    return new Response();
  });
  const request = (key: string) =>
    destination.fetch(`${destination.endpoint}/context/batch-sync`, { headers: { Authorization: `Bearer ${key}` } });
  const key = await destination.token("ada");
  current = work;
  await request(key);
  expect(sent).toEqual(["https://home.example/api/v1/context/batch-sync Bearer psk_home"]);
  // The account of before has no key any more.
  await expect(destination.token("ada")).rejects.toThrow("no key");
  expect(await destination.account()).toBe("ada at work");
  await expect(request("psk_work")).rejects.toThrow("no server");
  await expect(destination.fetch("https://elsewhere.example/", { headers: { Authorization: "Bearer psk_home" } })).rejects.toThrow(
    "no server",
  );
});

test("without a server there is no account, and nothing is taken", async () => {
  const none = { settings: initialSettings, key: "" };
  const destination = destinationOf({ read: async () => none.settings, readWithKey: async () => none }, async () => new Response());
  expect(await destination.account()).toBeNull();
});
