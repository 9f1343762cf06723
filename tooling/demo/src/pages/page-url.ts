import type { Manifest } from "./manifest.ts";

/**
 * Where a file of a package can be read: under its homepage, else in its repository, else on npm.
 * @param file path inside the package, with `/`
 */
export function pageUrl(manifest: Manifest, file: string): string {
  const { homepage, repository, name, version } = manifest;
  if (homepage !== undefined && !isGitHost(homepage)) return under(homepage, file);
  const home = repository ?? homepage;
  if (home === undefined) return `https://www.npmjs.com/package/${name}/v/${version}/${encodePath(file)}`;
  const { origin, pathname } = new URL(home);
  const [, owner = "", repo = ""] = pathname.split("/");
  const path = [manifest.directory ?? "", file].filter((part) => part !== "").join("/");
  return `${origin}/${owner}/${repo}/blob/v${version}/${encodePath(path)}`;
}

function under(homepage: string, file: string): string {
  const url = new URL(homepage);
  const base = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return `${url.origin}${base}${encodePath(file)}`;
}

function isGitHost(address: string): boolean {
  return ["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"].includes(new URL(address).hostname.replace(/^www\./, ""));
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/").replaceAll("%40", "@");
}
