import { heuristics } from "../data/site-heuristics.js";
import type { PrivacyLevel } from "../levels.js";
import { comparedPath } from "./compared-path.js";
import type { Location } from "./site-match.js";

const privateAddress =
  /^(?:10\.|127\.|0\.0\.0\.0$|192\.168\.|169\.254\.|172\.(?:1[6-9]|2[0-9]|3[01])\.|\[?(?:::1|f[cd][0-9a-f]{2}:|fe80:))/i;

/** Categories by the shape of host and path, most of them for software that runs at any host. */
export function shapeCategories({ host, path: given }: Location): Array<{ category: string; level: PrivacyLevel }> {
  const path = comparedPath(given);
  const labels = host.split(".");
  // The registered name itself says nothing: `mail.com` is a site, `mail.example.com` a mailbox.
  const outer = labels.length > 2 ? labels.slice(0, -2) : [];
  const found = heuristics.filter(
    ({ label, host: whole, path: shape }) =>
      (label === undefined || outer.some((name) => label.test(name))) && whole?.test(host) !== false && shape?.test(path) !== false,
  );
  return isIntranet(host) ? [...found, { category: "intranet", level: "private" }] : found;
}

/** `localhost`, private and link-local addresses (RFC 1918, RFC 3927, RFC 4193), `.local`, `.internal`, single labels. */
function isIntranet(host: string): boolean {
  if (/(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|corp|home)$/.test(host) || privateAddress.test(host)) return true;
  return host !== "" && !host.includes(".") && !host.startsWith("[");
}
