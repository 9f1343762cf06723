import { expect, test } from "vitest";
import { detectorTable, joined, noise } from "../../test/detector-table.js";
import { vendorTokens } from "../data/vendor-tokens.js";
import { redactText } from "../index.js";

const hex = "0123456789abcdef";
const upper = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";
const github = joined("ghp", "_", noise(36));
const aws = joined("AKI", "A", noise(16, upper));
const slack = joined("xox", "b-1234567890-", noise(24));
const stripe = joined("sk", "_live_", noise(24));
const webhook = joined("https://hooks.slack", ".com/services/", noise(44));
const id = `${noise(8, hex)}-${noise(4, hex)}-${noise(4, hex)}-${noise(4, hex)}-${noise(12, hex)}`;
const zapier = joined("https://hooks.zapier", ".com/hooks/catch/1234567/abc12de");
const azure = joined(noise(76), "+ASt", noise(5), "Q==");
const firebase = joined("AAAA", noise(7), ":APA91b", noise(134));
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
    [`post to ${zapier} now`, zapier],
    [`Key=${azure};`, azure],
    [`server key ${firebase}`, firebase],
    [`<td>${joined("apify", "_api_", noise(36))}</td>`, joined("apify", "_api_", noise(36))],
    [`use \`${joined("sdk-", id)}\``, joined("sdk-", id)],
    [`["${joined("pcsk", "_", noise(5), "_", noise(63))}"]`, joined("pcsk", "_", noise(5), "_", noise(63))],
    [`7,zoho,${joined("1000.", noise(32, hex), ".", noise(32, hex))},x`, joined("1000.", noise(32, hex), ".", noise(32, hex))],
    [`started with ${joined("s.", noise(24))} today`, joined("s.", noise(24))],
    [`(${joined("rzp", "_live_", noise(14))})`, joined("rzp", "_live_", noise(14))],
    [`key ${joined("sk-lf-", id)} here`, joined("sk-lf-", id)],
    [`glpat new ${joined("glpat-", noise(27), ".01.", noise(9))}`, joined("glpat-", noise(27), ".01.", noise(9))],
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
    "return s.toLocaleLowerCaseString(x)",
    "account-settings and master-slave",
    "secret-management-for-teams",
    "api-gateway, sdk-core and mob-programming",
    "md-table-cell-with-padding",
    "1000.0000.0000",
    "previewDeploymentsOfTheMainBranch",
    `sdk-${id}-extra`,
  ],
});

test("every row of the vendor table has its anchor in its shape", () => {
  for (const { anchor, shape, before } of vendorTokens) {
    expect(shape.length).toBeGreaterThan(0);
    expect(anchor.length).toBeGreaterThan(0);
    if (before === undefined) continue;
    expect(shape).toContain(anchor.replaceAll(/[.|+]/g, "\\$&"));
    expect(before[0]).toBeLessThanOrEqual(before[1]);
    expect(before[1]).toBeLessThanOrEqual(96);
  }
});

test.each(["AIza", "IGQV", "3MVG", "AKLT", "eyJrIjoi"])("tokens of nothing but %j, one behind the other, are all removed", (mark) => {
  expect(redactText(mark.repeat(2000), "public").text).toMatch(/^(?:\[REDACTED:api_key\])+.{0,60}$/);
});
