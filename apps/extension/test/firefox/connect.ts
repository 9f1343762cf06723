import { hangMs } from "@periscope/harness/chromium";
import { vi } from "vitest";
import type { RunningServer } from "@periscope/harness/server";
import type { ExtensionTab } from "./extension-tab.ts";
import type { Firefox } from "./firefox.ts";

/** From the page that opens by itself after the installation to a connected server, as a person does it. Returns the options. */
export async function connect(firefox: Firefox, server: RunningServer): Promise<ExtensionTab> {
  const welcome = await firefox.tab("welcome.html");
  await welcome.press("agree");
  await vi.waitUntil(() => welcome.run(() => document.getElementById("step-connect")?.hidden === false), { timeout: hangMs });
  const options = await firefox.open("options.html");
  await options.type("address", server.baseUrl.replace("/api/v1", ""));
  await options.run(() => ((document.getElementById("own-key") as HTMLDetailsElement).open = true));
  await options.type("key", server.key);
  await options.press("save");
  await options.says("connection", "Connected with the key");
  return options;
}
