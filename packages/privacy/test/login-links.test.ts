import { describe, expect, test } from "vitest";
import { type PrivacyLevel, redactHtml, redactText, redactUrl } from "../src/index.js";
import { digits, hex, letters, type Random, seeded, small } from "./layouts/random.js";

const mixed = letters + small + digits;
/** Tokens as frameworks make them: each has letters and digits. */
const tokens: ReadonlyArray<(random: Random) => string> = [
  (random) => `a${random.text(30, hex)}7`,
  (random) => `a${random.text(38, hex)}7`,
  (random) => `${random.text(3, mixed)}7kQ${random.text(15, mixed)}4`,
  (random) => `${random.text(8, mixed)}_9xW-${random.text(29, mixed)}8`,
  (random) => `${random.text(8, hex)}-${random.text(4, hex)}-4${random.text(3, hex)}-a${random.text(3, hex)}-${random.text(12, hex)}`,
  (random) => `x${random.text(2, digits)}K${random.text(2, small)}9Q${random.text(2, mixed)}`,
];

/** Addresses of links that let someone in, as frameworks and services write them; `*` is the secret. */
const links = [
  "https://shop.example/password-reset/*",
  "https://shop.example/reset-password/*?lang=en",
  "https://app.example/users/password/edit?reset_password_token=*",
  "https://app.example/reset?token=*&email=jo",
  "https://django.example/accounts/reset/MQ/*/",
  "https://django.example/accounts/password/reset/key/1-*/",
  "https://django.example/accounts/confirm-email/*/",
  "https://drupal.example/user/reset/14/1716900000/*/login",
  "https://app.example/__/auth/action?mode=resetPassword&oobCode=*&lang=de",
  "https://app.example/__/auth/action?mode=verifyEmail&oobCode=*",
  "https://pool.auth.example/confirmUser?client_id=abc&user_name=jo&confirmation_code=*",
  "https://laravel.example/email/verify/42/*?expires=1716900000",
  "https://laravel.example/password/reset/*",
  "https://wp.example/wp-login.php?action=rp&key=*&login=jo",
  "https://idp.example/u/reset-verify?ticket=*",
  "https://idp.example/realms/shop/login-actions/action-token?key=*&client_id=web",
  "https://idp.example/signin/reset-password/*",
  "https://db.example/auth/v1/verify?token=*&type=magiclink",
  "https://db.example/auth/confirm?token_hash=*&type=email",
  "https://app.example/sign-in?__clerk_ticket=*",
  "https://app.example/api/auth/callback/email?callbackUrl=x&token=*",
  "https://forum.example/u/password-reset/*",
  "https://forum.example/session/email-login/*",
  "https://forum.example/u/activate-account/*",
  "https://forum.example/invites/*",
  "https://git.example/user/activate?code=*",
  "https://git.example/-/invites/*/decline",
  "https://git.example/users/jo/emails/123/confirm_verification/*",
  "https://chat.example/magic-login/*",
  "https://join.chat.example/t/team/shared_invite/zt-*",
  "https://app.example/magic-link/*",
  "https://app.example/magic?code=*",
  "https://app.example/login/magic/*",
  "https://app.example/login?otp=*",
  "https://app.example/auth/magic-link?t=*",
  "https://app.example/invite?invite_code=*",
  "https://app.example/join?inviteCode=*",
  "https://app.example/invitation/accept/*",
  "https://app.example/teams/7/invitations/*",
  "https://app.example/accept-invitation?invitation_token=*",
  "https://app.example/verify-email?code=*",
  "https://app.example/verify/*",
  "https://verify.app.example/*",
  "https://app.example/confirm/8/*",
  "https://app.example/confirm?hash=*",
  "https://app.example/signup/confirm?k=*",
  "https://app.example/activate/*",
  "https://app.example/account/activate/99/*",
  "https://app.example/recover-account?key=*",
  "https://app.example/unlock-account/*",
  "https://app.example/#/reset-password/*",
  "https://app.example/#/verify?token=*",
  "https://app.example/passwort-zuruecksetzen/*",
  "https://app.example/einladung/*",
  "https://app.example/reinitialisation-mot-de-passe?cle=1&token=*",
  "https://app.example/restablecer/*",
  "https://app.example/verificar-correo?codigo=1&hash=*",
  "https://app.example/conferma?codice=1&k=*",
  "https://app.example/convite/*",
];

/** Addresses that let nobody in. */
const open = [
  "https://shop.example/reset-password",
  "https://docs.example/how-to/reset-your-password-in-windows-11",
  "https://docs.example/auth/sign-in-with-apple-2024-09-01",
  "https://blog.example/2024/05/verify-your-email-in-5-steps",
  "https://shop.example/unsubscribe/a81bc81bdead4e5dabff90865d1e13b1",
  "https://shop.example/orders/confirm/4827193",
  "https://git.example/jo/verify/commit/1da177e4c3f41524e886b7f1b8a0c1fc7321cac2",
  "https://news.example/join/newsletter",
  "https://shop.example/account/orders?page=2&sort=date",
  "https://docs.example/api/v2.1/tokens/list",
  "https://app.example/login?next=/settings/profile",
  "https://app.example/invite/friends-and-family",
  "https://app.example/activate/step-2",
  "https://app.example/products/SKU-12345-B?ref=mail",
  "https://en.wiki.example/wiki/Password_reset#History",
  "https://app.example/verify?lang=en-US&theme=dark2",
  "https://app.example/confirm?status=success",
  "https://docs.example/reset/css-2024.html",
  "https://video.example/watch?v=dQw4w9WgXcQ",
  "https://app.example/u/9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f/profile",
  "https://shop.example/p/reset-button-red-2024",
];

const levels: readonly PrivacyLevel[] = ["public", "private", "filtered"];

/** Where an address stands. */
const settings: ReadonlyArray<readonly [name: string, filter: (url: string, level: PrivacyLevel) => string]> = [
  ["the page's own", (url, level) => redactUrl(url, level).url],
  ["in text", (url, level) => redactText(`Hi Jo, open ${url} to go on. It works once.`, level).text],
  ["at the end of a sentence", (url, level) => redactText(`Your link is (${url}).`, level).text],
  ["in markdown", (url, level) => redactText(`Please [go on](${url}) now.`, level, { format: "markdown" }).text],
  ["as the text of its link", (url, level) => redactText(`Open [${url}](${url}) now.`, level, { format: "markdown" }).text],
  ["in HTML", (url, level) => redactHtml(`<p>Please <a href="${url.replaceAll("&", "&amp;")}">go on</a></p>`, level).html],
  ["in the text of HTML", (url, level) => redactHtml(`<p>Copy ${url.replaceAll("&", "&amp;")}<br>to your browser</p>`, level).html],
  ["nested in another", (url, level) => redactUrl(`https://mail.example/go?url=${encodeURIComponent(url)}`, level).url],
];

describe.each(settings)("a link that lets someone in, %s", (name, filter) => {
  test.each(links)("%s loses its secret at every level", (link) => {
    const random = seeded(links.indexOf(link) + 1);
    for (const make of tokens) {
      const token = make(random);
      for (const level of levels) expect(filter(link.replace("*", token), level)).not.toContain(token);
    }
  });

  test.each(open)("%s keeps its address", (url) => {
    const encoded = name.startsWith("nested") ? encodeURIComponent(url) : url;
    for (const level of ["public", "private"] as const) expect(filter(url, level).replaceAll("&amp;", "&")).toContain(encoded);
  });
});
