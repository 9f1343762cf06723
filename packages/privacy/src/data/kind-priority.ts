/**
 * When spans overlap, their union carries the kind that is named first here:
 * the most dangerous one, so that a count never understates what was there.
 */
export const kindPriority: readonly string[] = [
  "private_key", "jwt", "api_key", "url_auth", "token", "password", "secret", "cvv", "pin", "setup_key", "recovery_code", "one_time_code", "card", "iban", "us_ssn", "national_id", "bank_account", "passport", "licence", "medical_record", "wallet", "date_of_birth", "email", "phone", "ip", "mac",
];
