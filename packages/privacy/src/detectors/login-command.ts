import type { Detector } from "../detector.js";
import { isPlaceholder } from "../text/placeholders.js";
import { valueStrength } from "../text/value-strength.js";

const identified =
  /identified\s{1,4}(?:with\s{1,4}[a-z0-9_]{1,40}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?(["'])([^"'\n\\]{1,200})\1/iy;
const option = /(?:-u|--user|--proxy-user)[ =]{1,2}(["']?)([^\s"':]{0,100}:["']?[^\s"']{1,200}["']?)\1/y;
/** A program that takes `-u user:password` must come before it in the same command. */
const program = /\b(?:curl|wget|http|https|mosquitto_pub|mosquitto_sub|smbclient|mysql)\b/;
const commandMax = 1000;

/** Passwords that a command carries in its own syntax: SQL `IDENTIFIED BY '…'`, `curl -u user:password`. */
export const loginCommand: Detector = {
  kind: "password",
  tier: "floor",
  anchors: ["identified ", " -u", " --user", " --proxy-user", "\n-u"],
  find({ text }, { starts, anchors }, report) {
    starts.forEach((at, index) => {
      if (anchors[index] === 0) {
        identified.lastIndex = at;
        const [whole, , value = ""] = identified.exec(text) ?? [];
        if (whole === undefined || isPlaceholder(value) || value === "password") return;
        report(identified.lastIndex - 1 - value.length, identified.lastIndex - 1, "sql");
        return;
      }
      option.lastIndex = at + 1;
      const [whole, quote = "", value = ""] = option.exec(text) ?? [];
      if (whole === undefined) return;
      const secret = value.slice(value.indexOf(":") + 1).replaceAll(/["']/g, "");
      if (valueStrength(secret, true) === 0 || /^[0-9]{1,5}$/.test(secret) || !program.test(text.slice(Math.max(0, at - commandMax), at)))
        return;
      const end = option.lastIndex - quote.length;
      report(end - value.length, end, "command");
    });
  },
};
