/** What to tell a person whom the identity provider, or better-auth, led back with an error code. */
export function refusalText(code: string | undefined, otherwise: string): string {
  if (code === "access_denied") return "You cancelled your organization’s sign-in.";
  if (code === "forbidden") return "This account is disabled. Ask the owner of this server.";
  if (code === "bad_request") return "Your organization’s sign-in sent an invalid answer. Start again.";
  if (code === "unavailable") return "The server cannot do this at the moment. Try again in a minute.";
  // The second one is better-auth's own.
  if (code === "internal_error" || code === "internal_server_error")
    return "Something went wrong on the server. Try again. If it fails again, ask the owner of this server to check its log.";
  return otherwise;
}
