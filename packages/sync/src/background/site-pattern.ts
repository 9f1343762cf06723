/** Whether an address is one of a site. */
export type SiteTest = (address: URL) => boolean;

const form = /^(?:(\*|https?|file):\/\/)?(\*\.)?([^\s/:*?#@\\[\]]+|\[[0-9a-f:.]+\])?(?::([0-9]{1,5}))?(\/[^\s?#\\]*)?$/i;

/**
 * Reads a site as a user writes it: a host with all below it (`example.com`, `*.example.com`), perhaps with a path (`example.com/health`); or an
 * origin, which is that one alone (`https://example.com`, `http://localhost:8080`) unless it says otherwise (`https://*.example.com/*`).
 * @throws TypeError for a text that is no site
 */
export function siteTest(text: string): SiteTest {
  const [whole, as = "*", star, given = "", port, path = ""] = form.exec(text.trim()) ?? [];
  const scheme = as.toLowerCase();
  const host = hostOf(given);
  if (whole === undefined || host === undefined || (host === "") !== (scheme === "file")) {
    throw new TypeError(`"${text}" is no site. Write one such as example.com, example.com/health or https://example.com.`);
  }
  const isOrigin = scheme !== "*" && star === undefined;
  const name = isOrigin ? host : host.replace(/^(?:www\.)+(?=[^.]+\.)/, "");
  const start = pathOf(path);
  return ({ protocol, hostname, port: ofAddress, pathname }) => {
    const at = hostname.replace(/\.$/, "");
    return (
      (scheme === "*" || protocol === `${scheme}:`) &&
      (at === name || (!isOrigin && at.endsWith(`.${name}`))) &&
      (isOrigin || port !== undefined ? ofAddress === defaultless(scheme, port) : true) &&
      (pathname === start || pathname.startsWith(`${start}/`))
    );
  };
}

/** As a browser writes it; undefined when no browser would. */
function hostOf(given: string): string | undefined {
  if (given === "") return "";
  return URL.canParse(`http://${given}/`) ? new URL(`http://${given}/`).hostname.replace(/\.$/, "") : undefined;
}

function pathOf(path: string): string {
  return path === "" ? "" : new URL(`http://a${path.replace(/\*$/, "")}`).pathname.replace(/\/+$/, "");
}

/** A port as `URL` gives it: none when it is the scheme's own. */
function defaultless(scheme: string, port = ""): string {
  return (scheme === "https" && port === "443") || (scheme === "http" && port === "80") ? "" : port;
}
