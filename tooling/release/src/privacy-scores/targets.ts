/**
 * Least share of values, in percent, of which at least 90 % of the letters and digits must be gone at level `filtered`, by the kinds of
 * the labelled texts.
 */
export const fullMin: Readonly<Record<string, number>> = {
  email: 99.5,
  credit_card: 99,
  iban: 98,
  us_ssn: 99,
  ip: 98,
  jwt: 100,
  private_key: 100,
  url_auth: 100,
  api_key: 92,
  api_key_ctx: 93,
  generic_secret: 85,
  password: 80,
  url_token: 92,
  phone: 93,
  national_id: 60,
};

/** Most characters that may be changed of 10,000 in pages with nothing to remove. */
export const changedPer10000Max: Readonly<Record<string, number>> = { "page-text": 1, "page-markdown": 3, "page-html": 1 };

/** Most texts with nothing to remove that may be changed, in percent. */
export const changedTextsMax: Readonly<Record<string, number>> = { "url-clean": 1, "clean-short": 1 };
