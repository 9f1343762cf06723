import { expect, test } from "vitest";
import { detectorTable, joined, noise } from "../../test/detector-table.js";
import { vendorTokens } from "../data/vendor-tokens.js";

const hex = "0123456789abcdef";
const upper = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";
const github = joined("ghp", "_", noise(36));
const aws = joined("AKI", "A", noise(16, upper));
const slack = joined("xox", "b-1234567890-", noise(24));
const stripe = joined("sk", "_live_", noise(24));
const webhook = joined("https://hooks.slack", ".com/services/", noise(44));
const discord = joined("M", noise(23), ".", noise(6), ".", noise(30));

detectorTable({
  kind: "api_key",
  from: "public",
  removed: [
    [`token ${github}`, github],
    [`id=${aws}\n`, aws],
    [`"${slack}"`, slack],
    [`(${stripe})`, stripe],
    [`post to ${webhook} please`, webhook],
    [`bot ${discord}`, discord],
    [`${joined("sk-ant-", "api03-", noise(90))} end`, joined("sk-ant-", "api03-", noise(90))],
    [`x ${joined("sk-", "proj-", noise(60))}`, joined("sk-", "proj-", noise(60))],
    [`k: ${noise(32, hex)}-us12`, `${noise(32, hex)}-us12`],
    [`a\\n${github}`, github],
    [`gh\u200bp_${noise(36)}`, `gh\u200bp_${noise(36)}`],
  ],
  kept: [
    `${aws.slice(0, 12)}EXAMPLE1`,
    joined("ghp_", "x".repeat(36)),
    `word${github}`,
    "glpat-short",
    "sk-learn is a library",
    "npm_config_registry",
    "${GITHUB_TOKEN}",
    "AC adapter",
    "class A3Toolbar",
  ],
});

test("every row of the vendor table has its anchor in its shape or says how far before it starts", () => {
  for (const { anchor, shape, before = 0 } of vendorTokens) {
    expect(shape.length).toBeGreaterThan(0);
    expect(anchor.length).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(96);
  }
});
