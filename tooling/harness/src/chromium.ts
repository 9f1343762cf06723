import puppeteer, { type Browser, type CDPSession } from "puppeteer-core";

/** Guards against a hang, and no more. */
export const hangMs = 180_000;

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  // What the address bar would show, in two processes a window that take as much time as all others of the browser; and a process that
  // waits for each next page, which a test seldom opens.
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
];

/** How a Chromium starts. */
export interface ChromiumOptions {
  /** Directory of its profile. Default: one that is removed with it. */
  profile?: string;
  /** Directories of unpacked extensions. */
  extensions?: readonly string[];
  args?: readonly string[];
  /** Size of its pages. */
  viewport?: { width: number; height: number };
}

/** Starts Chromium: the one that `CHROMIUM_PATH` names, else that of Debian. */
export async function launchChromium({ profile, extensions = [], args = [], viewport }: ChromiumOptions = {}): Promise<
  Browser & AsyncDisposable
> {
  const list = extensions.join();
  const browser = await puppeteer.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    pipe: true,
    timeout: hangMs,
    protocolTimeout: hangMs,
    ...(profile !== undefined && { userDataDir: profile }),
    ...(viewport !== undefined && { defaultViewport: viewport }),
    enableExtensions: extensions.length > 0,
    args: [...flags, ...args, ...(list === "" ? [] : [`--disable-extensions-except=${list}`, `--load-extension=${list}`])],
  });
  return browser as Browser & AsyncDisposable;
}

let worlds = 0;

/** Evaluates an expression in an isolated world of its own, as content scripts have one; of the frame at an address, by default of the page. */
export async function evaluateIn(session: CDPSession, expression: string, frameUrl?: string): Promise<unknown> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const tree = [frameTree, ...(frameTree.childFrames ?? [])].find(({ frame }) => frameUrl === undefined || frame.url === frameUrl);
  const world = { frameId: tree?.frame.id ?? "", worldName: `world-${(worlds += 1)}` };
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", world);
  const options = { contextId, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, ...options });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
