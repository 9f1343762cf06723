import type { ExtensionApis, NavigationDetails } from "@periscope/sync/background";
import { expect, test } from "vitest";
import { withWantedNavigations } from "./wanted-navigations.js";

test("of an address that is not wanted nobody is told", async () => {
  const listeners: ((details: NavigationDetails) => unknown)[] = [];
  const event = { addListener: (listener: (details: NavigationDetails) => unknown) => void listeners.push(listener) };
  const webNavigation = { onCommitted: event, onHistoryStateUpdated: event, onReferenceFragmentUpdated: event };
  const apis = withWantedNavigations({ webNavigation } as unknown as ExtensionApis, async (url) => !url.includes("diary"));
  const told: string[] = [];
  apis.webNavigation?.onCommitted.addListener(({ url }) => told.push(url));
  const arrive = (url: string) => listeners[0]?.({ tabId: 1, frameId: 0, url, timeStamp: 1 });
  await arrive("https://diary.example/");
  await arrive("https://articles.example/");
  expect(told).toEqual(["https://articles.example/"]);
});
