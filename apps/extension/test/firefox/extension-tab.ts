import { hangMs } from "@periscope/harness/chromium";
import { vi } from "vitest";
import { type Plain, runIn, type Send } from "./bidi.ts";

/** A page of the extension, as somebody has it before them. */
export interface ExtensionTab {
  run<Given extends readonly Plain[], T>(script: (...given: Given) => T | Promise<T>, ...given: Given): Promise<T>;
  /** Presses what has this id, with the mouse. */
  press(id: string): Promise<void>;
  /** Types into what has this id, in place of what stands there. */
  type(id: string, text: string): Promise<void>;
  /** Waits until what has this id says so. */
  says(id: string, part: string): Promise<void>;
  close(): Promise<void>;
}

/** The page of the browsing context `context`. */
export function extensionTab(send: Send, context: string): ExtensionTab {
  const tab: ExtensionTab = {
    run: async (script, ...given) => await runIn(send, context, script, given),
    async press(id) {
      const { result } = await send("script.evaluate", {
        expression: `(() => { const found = document.getElementById(${JSON.stringify(id)}); found.scrollIntoView({ block: "center" }); return found; })()`,
        target: { context },
        awaitPromise: false,
      });
      const origin = { type: "element", element: { sharedId: result.sharedId } };
      const actions = [
        { type: "pointerMove", x: 0, y: 0, origin },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    async type(id, text) {
      await tab.press(id);
      await tab.run((id) => (document.getElementById(id) as HTMLInputElement).select(), id);
      const actions = Array.from(text).flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
    },
    async says(id, part) {
      await vi.waitUntil(() => tab.run((id, part) => document.getElementById(id)?.textContent.includes(part) === true, id, part), {
        timeout: hangMs,
      });
    },
    async close() {
      await send("browsingContext.close", { context });
    },
  };
  return tab;
}
