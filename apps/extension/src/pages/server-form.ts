import { createClient, testConnection } from "../connection/connection.js";
import { readServerAddress } from "../settings/server-address.js";
import { originPattern } from "../sites/sites.js";
import { byId, onEvent } from "./elements.js";
import type { PageContext } from "./page-context.js";

/** The form for server and key, of welcome and options. It saves what works, and says what does not. Returns how to show what is stored. */
export function serverForm({ api, store, sync, words }: PageContext): () => Promise<void> {
  const address = byId("address", HTMLInputElement);
  const key = byId("key", HTMLInputElement);
  const outcome = byId("connection");
  const say = (text: string, tone: "good" | "bad" | "hint") => {
    outcome.textContent = text;
    outcome.className = tone;
  };
  const fail = (text: string, field?: HTMLInputElement) => {
    say(text, "bad");
    field?.focus();
  };

  onEvent(byId("server-form", HTMLFormElement), "submit", async (event) => {
    event.preventDefault();
    const read = readServerAddress(address.value);
    if ("problem" in read) return fail(words(read.problem), address);
    const { server } = read;
    // First of all: the browser asks only in the very turn of the press.
    if (!(await api.permissions.request({ origins: [originPattern(server)] }))) return fail(words("serverNoAccess"));
    const { settings: before, key: stored } = await store.readWithKey();
    // A key never goes to a server that it was not typed for.
    const used = key.value.trim() || (before.server === server ? stored : "");
    if (used === "") return fail(words("keyMissing"), key);
    say(words("testing"), "hint");
    const result = await testConnection(createClient(server, used), words);
    if (!result.isConnected) return fail(result.text);
    const { userId, scopes, name } = result.key;
    const account = `${server} ${userId}`;
    await store.changeWithKey((settings) => ({ ...settings, server, account }), used);
    key.value = "";
    const isLeft = before.account !== "" && before.account !== account;
    // What waits for one server or person never goes to another.
    if (isLeft) await sync.removeAccount(before.account);
    // What was refused with the former key may pass now.
    await sync.resume().catch(() => {});
    const canManage = scopes.includes("read") && scopes.includes("delete");
    say([...(isLeft ? [words("serverLeft")] : []), words(canManage ? "connected" : "connectedWriteOnly", name)].join(" "), "good");
  });

  return async () => {
    const { settings, key: stored } = await store.readWithKey();
    if (document.activeElement !== address) address.value = settings.server.replace(/\/api\/v1$/, "") || address.value;
    // Enough to tell one key from another.
    byId("key-state").textContent = stored === "" ? words("keyNone") : words("keyStored", stored.slice(-4));
  };
}
