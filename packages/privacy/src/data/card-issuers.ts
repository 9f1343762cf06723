/**
 * Issuer prefixes (IIN ranges) of payment cards with the lengths in use.
 * Source: Wikipedia, "Payment card number", table of issuer identification number ranges (ISO/IEC 7812-1), networks marked active, as copies
 * of the table had it in 2024. Maestro, Diners Club and Discover are listed at their issued lengths. Left out, because
 * their ranges hold too many other numbers: UATP (`1`), China T-Union (`31`), GPN (`50`, `56`, `58`, `60` to `63` at 18 and 19 digits); a card
 * word beside the number finds those.
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
  { from: 60, to: 60, digits: 2, lengths: [16] }, // RuPay, UkrCard, NPS Pridnestrovie
  { from: 82, to: 82, digits: 2, lengths: [16] }, // RuPay
  { from: 508, to: 508, digits: 3, lengths: [16] }, // RuPay
  { from: 506099, to: 506198, digits: 6, lengths: [16, 18, 19] }, // Verve
  { from: 507865, to: 507964, digits: 6, lengths: [16, 18, 19] }, // Verve
  { from: 636, to: 639, digits: 3, lengths: [16] }, // InterPayment, InstaPayment
  { from: 9792, to: 9792, digits: 4, lengths: [16] }, // Troy
  { from: 2205, to: 2205, digits: 4, lengths: [16] }, // BORICA
  { from: 5019, to: 5019, digits: 4, lengths: [16] }, // Dankort
  { from: 5614, to: 5614, digits: 4, lengths: [16] }, // UzCard
  { from: 8600, to: 8600, digits: 4, lengths: [16] }, // UzCard
  { from: 9860, to: 9860, digits: 4, lengths: [16] }, // Humo
  { from: 9704, to: 9704, digits: 4, lengths: [16, 19] }, // Napas
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
  { from: 676770, to: 676770, digits: 6, lengths: [16, 18, 19] }, // Maestro UK
  { from: 676774, to: 676774, digits: 6, lengths: [16, 18, 19] }, // Maestro UK
  { from: 6761, to: 6763, digits: 4, lengths: [16, 18, 19] }, // Maestro
];

/** Words beside a number that say it is a card. English, German, French, Spanish, Italian, Portuguese, Dutch. */
export const cardWords: readonly string[] = [
  "card", "credit", "debit", "visa", "mastercard", "amex", "american express", "discover", "diners", "maestro", "jcb", "unionpay", "cvv", "cvc",
  "kreditkarte", "karte", "carte", "tarjeta", "carta", "cartão", "cartao", "kaart", "ccnum", "cc_num", "cc-num", "ccn",
];

/** How card numbers are printed: in fours, Amex 4-6-5, Diners 4-6-4, 19 digits as 4-4-4-4-3 or 6-13. */
export const cardGroupings: ReadonlyArray<readonly number[]> = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 1],
  [4, 4, 5],
  [4, 3, 3, 3],
  [4, 5, 4],
  [6, 13],
  [6, 10],
  [8, 8],
  [4, 4, 4],
];
