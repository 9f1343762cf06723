import type { ContextSyncOptions, PageText } from "@periscope/sync/background";
import type { ExtensionApi } from "../extension-api.js";
import { pageState } from "../recording/page-state.js";
import type { SettingsStore } from "../settings/settings-store.js";
import { hasAccessTo } from "../sites/sites.js";

interface RecordedPagesParts {
  store: Pick<SettingsStore, "read">;
  permissions: Pick<ExtensionApi["permissions"], "contains">;
  scripting: Pick<ExtensionApi["scripting"], "executeScript">;
  now: () => number;
  readPdf: (url: string) => Promise<PageText | undefined>;
}

/** Which pages are viewed, and which are loaded once more to be read: those that are recorded without being asked for, by settings and access of that moment. */
export function recordedPages({
  store,
  permissions,
  scripting,
  now,
  readPdf,
}: RecordedPagesParts): Required<Pick<ContextSyncOptions, "isWanted" | "readPage">> {
  async function isWanted(url: string): Promise<boolean> {
    const page = { url, incognito: false, hasAccess: await hasAccessTo(permissions, url) };
    return pageState(await store.read(), page, now()).is === "recorded";
  }
  return {
    isWanted,
    async readPage({ url, tabId }) {
      const { readsPdfs, captures } = await store.read();
      if (!readsPdfs || !captures.page || !(await isWanted(url))) return undefined;
      return (await mayShowPdf(Number(tabId))) ? await readPdf(url) : undefined;
    },
  };

  /** Whether a tab shows a PDF, also one that has not come to its end. Firefox lets nobody into its viewer. A page that loads slowly is not to be loaded twice. */
  async function mayShowPdf(tabId: number): Promise<boolean> {
    const asked = scripting.executeScript({ target: { tabId }, func: () => document.contentType, injectImmediately: true });
    return await asked.then(
      ([shown]) => shown?.result === "application/pdf",
      () => true,
    );
  }
}
