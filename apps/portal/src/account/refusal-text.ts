/** What there is to say of the codes with which the identity provider, better-auth or the server lead a person back. */
const texts: ReadonlyMap<string, string> = new Map([
  ["access_denied", "You cancelled your organization’s sign-in."],
  ["forbidden", "This account is disabled. Ask the owner of this server."],
  ["bad_request", "Your organization’s sign-in sent an invalid answer. Start again."],
  ["unavailable", "The server cannot do this at the moment. Try again in a minute."],
  ["signup_disabled", "Your organization’s sign-in did not let you in. Ask the owner of this server for an invite."],
  [
    "account_not_linked",
    "Your email address has an account here that is not connected with your organization’s sign-in. Sign in with your password, then press Connect on the page Account.",
  ],
  ["email_not_found", "Your organization’s sign-in did not tell your email address, which an account here needs. Ask whoever runs it."],
  ["state_mismatch", "This sign-in took too long, or was begun twice. Start again."],
  ["account_already_linked_to_different_user", "It was not connected: it belongs to another account here."],
  ...["internal_error", "internal_server_error"].map(
    (code) =>
      [code, "Something went wrong on the server. Try again. If it fails again, ask the owner of this server to check its log."] as const,
  ),
]);

/** What to tell a person who was led back with an error code. */
export function refusalText(code: string): string {
  return (
    texts.get(code) ?? "Your organization’s sign-in failed. Start again. If it fails again, ask the owner of this server to check its log."
  );
}
