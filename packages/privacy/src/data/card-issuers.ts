/**
 * Issuer prefixes (IIN ranges) of payment cards with the lengths in use.
 * Source: Wikipedia, "Payment card number", table of issuer identification number ranges (ISO/IEC 7812-1);
 * only networks in use. Maestro's wide ranges (5018 and so on) are listed at their issued lengths.
 */
export const cardIssuers: ReadonlyArray<{ readonly from: number; readonly to: number; readonly digits: number; readonly lengths: readonly number[] }> = [
  { from: 4, to: 4, digits: 1, lengths: [13, 16, 19] }, // Visa
  { from: 51, to: 55, digits: 2, lengths: [16] }, // Mastercard
  { from: 2221, to: 2720, digits: 4, lengths: [16] }, // Mastercard 2-series
  { from: 34, to: 34, digits: 2, lengths: [15] }, // American Express
  { from: 37, to: 37, digits: 2, lengths: [15] }, // American Express
  { from: 300, to: 305, digits: 3, lengths: [14, 16, 19] }, // Diners Club International
  { from: 3095, to: 3095, digits: 4, lengths: [14, 16, 19] }, // Diners Club International
  { from: 36, to: 36, digits: 2, lengths: [14, 16, 19] }, // Diners Club International
  { from: 38, to: 39, digits: 2, lengths: [14, 16, 19] }, // Diners Club International
  { from: 6011, to: 6011, digits: 4, lengths: [16, 19] }, // Discover
  { from: 644, to: 649, digits: 3, lengths: [16, 19] }, // Discover
  { from: 65, to: 65, digits: 2, lengths: [16, 19] }, // Discover, RuPay
  { from: 62, to: 62, digits: 2, lengths: [16, 17, 18, 19] }, // China UnionPay
  { from: 81, to: 81, digits: 2, lengths: [16] }, // RuPay, UnionPay
  { from: 3528, to: 3589, digits: 4, lengths: [16, 17, 18, 19] }, // JCB
  { from: 1800, to: 1800, digits: 4, lengths: [15] }, // JCB, old
  { from: 2131, to: 2131, digits: 4, lengths: [15] }, // JCB, old
  { from: 2200, to: 2204, digits: 4, lengths: [16, 17, 18, 19] }, // Mir
  { from: 5018, to: 5018, digits: 4, lengths: [16, 18, 19] }, // Maestro
  { from: 5020, to: 5020, digits: 4, lengths: [16, 18, 19] }, // Maestro
  { from: 5038, to: 5038, digits: 4, lengths: [16, 18, 19] }, // Maestro
  { from: 5893, to: 5893, digits: 4, lengths: [16, 18, 19] }, // Maestro
  { from: 6304, to: 6304, digits: 4, lengths: [16, 18, 19] }, // Maestro
  { from: 6759, to: 6759, digits: 4, lengths: [16, 18, 19] }, // Maestro
  { from: 6761, to: 6763, digits: 4, lengths: [16, 18, 19] }, // Maestro
];

/** Words beside a number that say it is a card. English, German, French, Spanish, Italian, Portuguese, Dutch. */
export const cardWords: readonly string[] = [
  "card", "credit", "debit", "visa", "mastercard", "amex", "american express", "discover", "diners", "maestro", "jcb", "unionpay", "cvv", "cvc",
  "kreditkarte", "karte", "carte", "tarjeta", "carta", "cartão", "cartao", "kaart", "ccnum", "cc_num", "cc-num", "ccn",
];
