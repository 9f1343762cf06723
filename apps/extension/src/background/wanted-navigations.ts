import type { ExtensionApis, NavigationDetails } from "@periscope/sync/background";

type Event = NonNullable<ExtensionApis["webNavigation"]>["onCommitted"];

/**
 * The browser's API with a watchman before `webNavigation`: of an address that is not recorded, and of any before consent, nobody is told, so that
 * it is not even held in memory while it settles.
 */
export function withWantedNavigations(apis: ExtensionApis, isWanted: (url: string) => Promise<boolean>): ExtensionApis {
  const { runtime, alarms, tabs, windows, webNavigation, storage, extension, permissions } = apis;
  const guarded = (event: Event): Event => ({
    addListener(listener, filter) {
      event.addListener(async (details: NavigationDetails) => {
        if (await isWanted(details.url)) await listener(details);
      }, filter);
    },
  });
  return {
    runtime,
    alarms,
    tabs,
    ...(windows !== undefined && { windows }),
    ...(storage !== undefined && { storage }),
    ...(extension !== undefined && { extension }),
    ...(permissions !== undefined && { permissions }),
    ...(webNavigation !== undefined && {
      webNavigation: {
        onCommitted: guarded(webNavigation.onCommitted),
        onHistoryStateUpdated: guarded(webNavigation.onHistoryStateUpdated),
        onReferenceFragmentUpdated: guarded(webNavigation.onReferenceFragmentUpdated),
      },
    }),
  };
}
