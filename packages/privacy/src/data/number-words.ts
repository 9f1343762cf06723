/** Words beside a number that say it is a US Social Security or taxpayer number. The first one also heads numbers that a scanner misread. */
export const ssnWords: readonly string[] = [
  "ssn", "social security", "social-security", "socialsecurity", "social_security", "soc sec", "soc. sec", "ss#", "itin", "taxpayer id", "nss",
];

/** Words beside an address of Ethereum that say it is one. */
export const walletWords: readonly string[] = [
  "wallet", "ethereum", "metamask", "eth ", "eth:", "erc20", "erc-20", "usdt", "usdc", "send to", "deposit address", "payout", "donat", "recipient", "кошел", "钱包", "ウォレット", "cartera", "portefeuille", "carteira",
];
