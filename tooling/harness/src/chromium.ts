import puppeteer, { type Browser } from "puppeteer-core";

/** Guards against a hang, and no more. */
export const hangMs = 180_000;

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  // What the address bar would show, in two processes a window that take as much time as all others of the browser.
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
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
