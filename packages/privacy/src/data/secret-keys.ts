/**
 * Query, fragment and matrix-parameter keys whose value is a secret whatever it looks like. Compared without
 * case, `_`, `-` and `.`. Sources: OAuth 2.0 (RFC 6749, RFC 6750, RFC 7636) and OpenID Connect Core for codes and tokens;
 * SAML 2.0 HTTP bindings; AWS Signature V4 query and Azure SAS documentation for signatures; Servlet 6.0, 7.1.3
 * (`jsessionid`), PHP (`PHPSESSID`) and ASP.NET for sessions; the default lists of Sentry data scrubbing and of
 * Rails `filter_parameters` for the rest.
 */
const secretKeys: ReadonlySet<string> = new Set([
  // OAuth and OpenID Connect
  "accesstoken", "refreshtoken", "idtoken", "idtokenhint", "logintoken", "token", "oauthtoken", "oauthtokensecret", "oauthverifier", "oauthsignature",
  "clientsecret", "clientassertion", "codeverifier", "assertion", "logouttoken", "devicecode", "usercode", "authcode", "authorizationcode", "requesttoken",
  // SAML
  "samlresponse", "samlrequest", "relaystate", "samlart",
  // API keys
  "apikey", "apitoken", "apisecret", "appsecret", "appkey", "accesskey", "secretkey", "secret", "subscriptionkey", "xapikey", "privatekey", "sharedsecret", "sharekey", "authkey", "streamkey", "accesscode", "apppassword", "masterkey",
  // Signed URLs
  "sig", "signature", "xamzsignature", "xamzcredential", "xamzsecuritytoken", "xamzkey", "xgoogsignature", "xgoogcredential", "awsaccesskeyid", "keypairid", "policy", "hmac", "credential", "hdnea", "hdnts",
  // Sessions and cross-site request forgery tokens
  "session", "sessionid", "sessiontoken", "sessionkey", "jsessionid", "phpsessid", "aspsessionid", "sessid", "sess", "ssid", "csrf", "csrftoken", "xsrf", "xsrftoken", "csrfmiddlewaretoken", "authenticitytoken", "requestverificationtoken", "cookie",
  // Passwords and one-time codes
  "password", "passwd", "pwd", "pass", "passphrase", "passcode", "newpassword", "oldpassword", "userpassword", "otp", "totp", "mfacode", "verificationcode", "pin", "cvv", "cvc",
  // Links that sign in or confirm
  "resettoken", "resetpasswordtoken", "passwordresettoken", "confirmationtoken", "invitationtoken", "invitetoken", "magiclink", "magictoken", "ticket", "loginticket", "authtoken", "auth", "authkey", "authorization", "bearer", "jwt", "ott", "otc", "sesame", "clerkticket", "rpkey", "stytchtoken", "unsubscribetoken",
]);

/** Keys that are often harmless: their value goes only when it is shaped like a token. */
const ambiguousKeys: ReadonlySet<string> = new Set(["code", "state", "key", "sid", "hash", "t", "reset", "nonce", "s", "k", "verify", "confirm", "invite", "h", "uid", "ref", "data", "link", "appid", "signed", "sign", "cid", "tk", "login", "access", "security", "challenge"]);

/** A key as the lists have it. */
function foldKey(key: string): string {
  return key.toLowerCase().replaceAll(/[_.\-[\]]/g, "");
}

/** `reset_token`, `oobCode`, `invite_code`, `emailVerificationHash`, `token_hash`. */
const secretEnding =
  /(?:token|secret|password|passwd|apikey|sessionid|signature|tokenhash|tokenid|(?:oob|otp|otc|mfa|tfa|reset|magic|invit[a-z]{0,7}|verif[a-z]{0,9}|confirm[a-z]{0,7}|activat[a-z]{0,4}|login|signin|recover[a-z]{0,3}|auth|onetime|unlock|registration|signup|passw?o?r?d?|email)(?:user|email|account|password|link|url)?(?:code|key|hash|ticket|pin|string|digest|sesame))$/;

/** Whether a key of any URL is for a secret. */
export function isSecretKey(key: string): boolean {
  const folded = foldKey(key);
  return secretKeys.has(folded) || secretEnding.test(folded);
}

/** Whether a key may be for a secret. */
export function isAmbiguousKey(key: string): boolean {
  return ambiguousKeys.has(foldKey(key));
}
