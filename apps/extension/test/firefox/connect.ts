import type { Periscope } from "@periscope/demo/start-server";
import type { ExtensionTab } from "./extension-tab.ts";
import type { Firefox } from "./firefox.ts";

/** From the page that opens by itself after the installation to a connected server, as a person does it. Returns the options. */
export async function connect(firefox: Firefox, server: Periscope): Promise<ExtensionTab> {
  const consent = await firefox.tab("consent.html");
  await consent.press("agree");
  // The tab goes on to the options; it is closed, since a tab that has changed its process takes no keys by this line.
  await (await firefox.tab("options.html")).close();
  const options = await firefox.open("options.html");
  await options.type("address", server.baseUrl.replace("/api/v1", ""));
  await options.type("key", server.key);
  await options.press("save");
  await options.says("connection", "Connected. This key may write, read, delete.");
  return options;
}
