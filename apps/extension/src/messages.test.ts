import { expect, test } from "vitest";
import { answer, type Answers, send } from "./messages.js";

const answers: Answers = {
  recording: async () => ({ mode: "whole", form: false }),
  pageNote: async ({ tabId }) => (tabId === 8 ? undefined : { url: `https://a.example/${tabId}`, at: 0 }),
  recordNow: () => Promise.reject(new Error("The tab is gone.")),
  forgetSite: async () => "list-full",
  withdrawConsent: async () => true,
  readPdf: async () => undefined,
};

/** A runtime that hands each message to the background, as if it came from this address. */
function runtimeAt(url: string, id = "periscope") {
  let listen: ((message: unknown, sender: object, respond: (answer: unknown) => void) => unknown) | undefined;
  const background = {
    id: "periscope",
    getURL: () => "chrome-extension://periscope/",
    onMessage: { addListener: (call: typeof listen) => (listen = call) },
  };
  answer(background as unknown as Parameters<typeof answer>[0], answers);
  const sendMessage = (message: unknown) =>
    new Promise((resolve) => {
      if (listen?.(message, { id, url }, resolve) !== true) resolve(undefined);
    });
  return { sendMessage } as unknown as Parameters<typeof send>[0];
}

const popup = "chrome-extension://periscope/popup.html";

test("a page of the extension is answered, also with undefined", async () => {
  expect(await send(runtimeAt(popup), "pageNote", { tabId: 7 })).toEqual({ url: "https://a.example/7", at: 0 });
  expect(await send(runtimeAt(popup), "pageNote", { tabId: 8 })).toBeUndefined();
});

test("rejects when the background fails, instead of waiting for ever", async () => {
  await expect(send(runtimeAt(popup), "recordNow", { tabId: 7 })).rejects.toThrow('"recordNow"');
});

test("a content script may ask what to capture, and nothing else", async () => {
  const content = runtimeAt("https://a.example/");
  expect(await send(content, "recording", {})).toEqual({ mode: "whole", form: false });
  for (const name of ["pageNote", "withdrawConsent", "forgetSite", "readPdf"] as const)
    await expect(send(content, name, { tabId: 7, site: "a.example", url: "https://a.example/" })).rejects.toThrow("Nobody answered");
});

test("another extension is not answered", async () => {
  await expect(send(runtimeAt(popup, "other"), "recording", {})).rejects.toThrow("Nobody answered");
});
