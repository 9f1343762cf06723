import { expect, test } from "vitest";
import { detectorTable, joined, noise } from "../../test/detector-table.js";
import { redactText } from "../index.js";

const begin = joined("-----BEGIN ", "PRIVATE KEY-----");
const end = joined("-----END ", "PRIVATE KEY-----");
const body = `${noise(64)}\n${noise(64)}\n${noise(20)}==`;
const block = `${begin}\n${body}\n${end}`;

detectorTable({
  kind: "private_key",
  from: "public",
  removed: [
    [`key:\n${block}\ndone`, block],
    [
      joined("-----BEGIN RSA ", "PRIVATE KEY-----\\n", noise(64), "\\n-----END RSA ", "PRIVATE KEY-----"),
      joined("-----BEGIN RSA ", "PRIVATE KEY-----\\n", noise(64), "\\n-----END RSA ", "PRIVATE KEY-----"),
    ],
    [
      joined("-----BEGIN PGP ", "PRIVATE KEY BLOCK-----\n\n", noise(64), "\n-----END PGP ", "PRIVATE KEY BLOCK-----"),
      joined("-----BEGIN PGP ", "PRIVATE KEY BLOCK-----\n\n", noise(64), "\n-----END PGP ", "PRIVATE KEY BLOCK-----"),
    ],
  ],
  kept: [
    `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`,
  ],
});

test("a key that was cut off goes to the end of its block, the prose after it stays", () => {
  const text = `${begin}\n${body}\n\nThis is the next paragraph of the page.`;
  const redacted = redactText(text, "public").text;
  expect(redacted).toContain("This is the next paragraph of the page.");
  expect(redacted).not.toContain(noise(20));
});
