import { connectionWords } from "../connection/connection-words.js";
import { testConnection } from "../connection/test-connection.js";
import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { accountAt, answered } from "../settings/account.js";
import { isInTheClear, originPattern, readServerAddress } from "../settings/server-address.js";
import type { Settings } from "../settings/settings.js";

/** Server and key: saves both at once, and says in plain words whether they work. Returns how to show what is stored. */
export function serverSection({ api, store, sync, words }: PageContext) {
  const address = byId("address", HTMLInputElement);
  const key = byId("key", HTMLInputElement);
  const other = byId("other", HTMLInputElement);
  const outcome = byId("connection", HTMLElement);
  const forgetKey = byId("forget-key", HTMLButtonElement);
  let stored: { settings: Settings; key: string } | undefined;

  const say = (text: string, isGood = false) => {
    outcome.textContent = text;
    outcome.className = isGood ? "good" : "bad";
  };

  byId("server-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void save();
  });
  onPress(byId("test", HTMLButtonElement), () => test());
  onPress(forgetKey, async () => {
    await store.changeWithKey((settings) => settings, "");
    say(words("keyNone"));
  });
  // Whose the key is matters only where one takes the place of another.
  key.addEventListener("input", () => (byId("other-choice", HTMLElement).hidden = key.value === "" || (stored?.key ?? "") === ""));

  async function save(): Promise<void> {
    const read = readServerAddress(address.value);
    if (read.is !== "address") {
      say(words(read.is === "none" ? "addressMissing" : "addressWrong"));
      address.focus();
      return;
    }
    if (isInTheClear(read.server)) {
      say(words("addressClear"));
      address.focus();
      return;
    }
    // First of all: the browser asks only in the very turn of the press.
    if (!(await api.permissions.request({ origins: [originPattern(read.server)] }))) {
      say(words("serverNoAccess"));
      return;
    }
    const { settings: before, key: keyBefore } = await store.readWithKey();
    const typed = key.value.trim();
    const isOther = other.checked && typed !== "" && keyBefore !== "";
    const isMoved = before.server !== "" && before.server !== read.server;
    const account = accountAt(before, read.server, isOther);
    const isLeft = before.account !== "" && account !== before.account;
    const left = isLeft ? await sync.status().catch(() => undefined) : undefined;
    // A key is never sent to a server that it was not typed for.
    await store.changeWithKey(
      (settings) => ({ ...settings, server: read.server, account }),
      typed === "" && isMoved ? "" : typed || keyBefore,
    );
    if (isLeft) await sync.purge(before.account);
    key.value = "";
    other.checked = false;
    byId("other-choice", HTMLElement).hidden = true;
    const deleted = (left?.waiting ?? 0) + (left?.deadLetters ?? 0);
    await test(deleted > 0 ? words("serverLeft", deleted) : undefined);
    // What was refused with the former key may pass now.
    await sync.resume().catch(() => {});
  }

  /** `before`: what is said first. */
  async function test(before?: string): Promise<void> {
    const { settings, key: storedKey } = await store.readWithKey();
    if (settings.server === "") {
      say(words("addressMissing"));
      return;
    }
    say(words("testing"), true);
    const result = await testConnection({ server: settings.server, key: storedKey, fetch: (url, init) => fetch(url, init) });
    if (result.is === "ok") await store.change((now) => (now.server === settings.server ? answered(now) : now));
    // Whatever the server says: nothing is sent without one.
    const missing = storedKey === "" && result.is !== "no-key" ? words("testAlsoNoKey") : undefined;
    const isGood = result.is === "ok" && missing === undefined;
    say([before, connectionWords(words, result), missing].filter((text) => text !== undefined).join(" "), isGood);
  }

  return (now: { settings: Settings; key: string }): void => {
    if (stored?.settings.server !== now.settings.server) address.value = now.settings.server.replace(/\/api\/v1$/, "");
    stored = now;
    // Enough to tell one key from another.
    byId("key-state", HTMLElement).textContent = now.key === "" ? words("keyNone") : words("keyStored", now.key.slice(-4));
    forgetKey.hidden = now.key === "";
  };
}
