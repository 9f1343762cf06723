import { expect } from "vitest";
import { withOwnServer as test } from "./test-server.js";
import { PortalClient } from "./portal-client.js";

const owner = { name: "Ada", email: "Ada@example.org", password: "correct horse battery" };

test("makes the owner's account by the printed token, once", async ({ server }) => {
  const token = (await server.invites.createSetupToken()) ?? "";
  const browser = new PortalClient(server);
  expect(await browser.query("session.me")).toEqual({ status: 200, data: null });
  expect(await browser.query("setup.begin", { token })).toMatchObject({ data: { isValid: true } });
  const made = await browser.mutate("setup.complete", { token, ...owner });
  expect(made).toMatchObject({ status: 200, data: { userId: expect.stringMatching(/^usr_/), key: expect.stringMatching(/^psk_/) } });
  expect(browser.setCookies.join()).toMatch(/^periscope\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  const { userId } = made.data as { userId: string };
  expect(await browser.query("session.me")).toMatchObject({ data: { userId, name: "Ada", email: "ada@example.org", isOwner: true } });
  expect(await browser.mutate("setup.complete", { token, ...owner })).toMatchObject({ status: 403 });
  expect(await server.invites.createSetupToken()).toBeNull();
  expect(await server.access.listUsers()).toMatchObject([{ userId }]);
});

test("signs in with a password, and out", async ({ server }) => {
  await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  expect(await browser.signIn({ email: "nobody@example.org", password: owner.password })).toMatchObject({ status: 401 });
  expect(await browser.signIn({ email: owner.email, password: "wrong password" })).toMatchObject({ status: 401 });
  expect(await browser.signIn(owner)).toMatchObject({ status: 200 });
  expect(await browser.query("session.me")).toMatchObject({ data: { email: "ada@example.org" } });
  const cookie = browser.cookie;
  expect(await browser.mutate("session.signOut")).toMatchObject({ status: 200 });
  expect(browser.cookie).toBe("");
  browser.cookie = cookie;
  expect(await browser.query("session.me")).toEqual({ status: 200, data: null });
});

test("gives the owner the only user that keys have made", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, owner);
  expect(await browser.query("session.me")).toMatchObject({ data: { userId: client.userId } });
});
