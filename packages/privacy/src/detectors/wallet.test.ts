import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { detectorTable } from "../../test/detector-table.js";
import { keccak256 } from "./wallets/keccak256.js";
import { sha256 } from "./wallets/sha256.js";

const hex40 = "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

detectorTable({
  kind: "wallet",
  from: "filtered",
  removed: [
    ["donate 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa please", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
    ["(bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4)", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4.", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
    [
      "taproot bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
      "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    ],
    ["to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    [`my wallet is 0x${hex40}`, `0x${hex40}`],
    [`ETH: 0x${hex40}`, `0x${hex40}`],
    [`0x${hex40} (wallet)`, `0x${hex40}`],
    ["Wallet address\nTJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"],
    ["Solana wallet: 7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK", "7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK"],
  ],
  kept: [
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
    `0x${hex40}`,
    `commit ${hex40}`,
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
    `0x${hex40}${hex40.slice(0, 24)}`,
    "wallet-sized photo 1234567890123456789012345678",
    "3.14159265358979323846264338327950288",
  ],
});

test("sha256 is that of the platform", () => {
  for (const length of [0, 1, 21, 32, 55]) {
    const data = new Uint8Array(length).map((_, index) => (index * 37 + length) % 256);
    expect(Buffer.from(sha256(data)).toString("hex")).toBe(createHash("sha256").update(data).digest("hex"));
  }
});

test("keccak256 gives the digests that Ethereum publishes", () => {
  expect(keccak256("")).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  expect(keccak256("abc")).toBe("4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
});
