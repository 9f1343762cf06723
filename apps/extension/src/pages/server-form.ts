import { createClient, testConnection, testServer } from "../connection/connection.js";
import { pair, type PairedKey, PairingError } from "../connection/pair.js";
import { readServerAddress } from "../settings/server-address.js";
import type { Settings } from "../settings/settings.js";
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

  let isBusy = false;
  onEvent(byId("server-form", HTMLFormElement), "submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await connect().finally(() => (isBusy = false));
  });

  async function connect(): Promise<void> {
    const read = readServerAddress(address.value);
    if ("problem" in read) return fail(words(read.problem), address);
    const { server } = read;
    const typed = key.value.trim();
    if (!/^[!#-[\]-~]*$/.test(typed)) return fail(words("keyWrong"), key);
    // First of all: the browser asks only in the very turn of the press.
    if (!(await api.permissions.request({ origins: [originPattern(server)] }))) return fail(words("serverNoAccess"));
    const { settings: before, key: stored } = await store.readWithKey();
    // A key never goes to a server that it was not typed for.
    const apiKey = typed || (before.server === server ? stored : "");
    if (apiKey === "") return await pairWith(server);
    say(words("testing"), "hint");
    const result = await testConnection(createClient(server, apiKey), words);
    if (result.isConnected) return await save(server, apiKey, result.key, before);
    // A stored key that ended is replaced by a new one.
    if (typed === "" && result.isKeyRefused) return await pairWith(server);
    fail(result.text);
  }

  /** Gets a key of this browser's own, which the person approves in a tab of the server. */
  async function pairWith(server: string): Promise<void> {
    say(words("testing"), "hint");
    const problem = await testServer(server, words);
    if (problem !== undefined) return fail(problem);
    say(words("pairWaiting"), "hint");
    try {
      const { os } = await api.runtime.getPlatformInfo();
      const { apiKey, ...key } = await pair(api, server, `${browserName()} on ${systems[os] ?? os}`);
      await save(server, apiKey, key, await store.read());
    } catch (error) {
      const { reason, advice } = error instanceof PairingError ? error : new PairingError("refused");
      fail(advice ?? words(reason === "declined" ? "pairDeclined" : "pairRefused"));
    }
  }

  async function save(
    server: string,
    apiKey: string,
    { userId, scopes, name }: Omit<PairedKey, "apiKey">,
    before: Settings,
  ): Promise<void> {
    const account = `${server} ${userId}`;
    await store.change((settings) => ({ ...settings, server, account }), apiKey);
    key.value = "";
    const isLeft = before.account !== "" && before.account !== account;
    // What waits for one server or person never goes to another.
    if (isLeft) await sync.removeAccount(before.account);
    // What was refused with the former key may pass now.
    await sync.resume().catch(() => {});
    const canManage = scopes.includes("read") && scopes.includes("delete");
    say([...(isLeft ? [words("serverLeft")] : []), words(canManage ? "connected" : "connectedWriteOnly", name)].join(" "), "good");
  }

  /** The address that was last shown. */
  let shown = "";
  return async () => {
    const { settings, key: stored } = await store.readWithKey();
    const read = readServerAddress(address.value);
    const isOfPerson = address.value !== shown && !("server" in read && read.server === settings.server);
    // What somebody typed stays: with the address of before, the key would go to another server than it is entered for.
    if (document.activeElement !== address && !isOfPerson)
      address.value = shown = settings.server.replace(/\/api\/v1$/, "") || shown || localServer;
    // Enough to tell one key from another.
    byId("key-state").textContent = stored === "" ? words("keyNone") : words("keyStored", stored.slice(-4));
  };
}

/** Where `periscope serve` listens unless it is told otherwise. */
const localServer = "http://127.0.0.1:3000";

/** How people call the systems that the browser names. */
const systems: Readonly<Record<string, string>> = { mac: "macOS", win: "Windows", linux: "Linux", android: "Android", cros: "ChromeOS" };

function browserName(): string {
  const [found] = /Firefox|Edg(?=\/)/.exec(navigator.userAgent) ?? [];
  return found === "Edg" ? "Edge" : (found ?? "Chrome");
}
