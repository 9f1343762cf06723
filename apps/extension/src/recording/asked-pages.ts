/** What of a page a person asked for. */
export interface Asked {
  /** As messages name it. */
  tabId: string;
  url: string;
  type: string;
}

/**
 * What is being asked for by menu and keyboard. The browser lets the extension into such a page for as long as it stays (`activeTab`) and says nothing of it when
 * it is asked for access: only this is kept of the site, and only while it is asked for.
 */
export interface AskedPages {
  /** Does something while this may be kept. */
  during<T>(asked: Asked, work: () => Promise<T>): Promise<T>;
  /** Whether a person is asking for this right now; pages of an origin are the same, as one may move on meanwhile. */
  covers(asked: Asked): boolean;
}

/** Of a worker, which lives as long as anything is being asked for. */
export function askedPages(): AskedPages {
  const current = new Set<Asked>();
  return {
    async during(asked, work) {
      current.add(asked);
      try {
        return await work();
      } finally {
        current.delete(asked);
      }
    },
    covers: ({ tabId, url, type }) =>
      [...current].some((asked) => asked.tabId === tabId && asked.type === type && originOf(asked.url) === originOf(url)),
  };
}

const originOf = (url: string) => new URL(url).origin;
