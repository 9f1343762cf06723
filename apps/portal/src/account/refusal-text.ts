/** What to tell a person whom the identity provider, or better-auth, led back with an error code. */
export function refusalText(code: string | undefined, otherwise: string): string {
  if (code === "access_denied") return "You cancelled it at your organization’s sign-in.";
  if (code === "forbidden") return "This account is disabled. Ask the owner of this server.";
  if (code === "bad_request") return "Your organization’s sign-in did not come back as it should. Start again.";
  if (code === "unavailable") return "The server cannot do this at the moment. Try again in a minute.";
  // The second one is better-auth's own.
  if (code === "internal_error" || code === "internal_server_error")
    return "Sign-in failed. Try again; if it fails again, ask the owner of this server to look at its log.";
  return otherwise;
}
