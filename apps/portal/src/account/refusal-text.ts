/** What to tell a person whom the identity provider, or better-auth, led back with an error code. */
export function refusalText(code: string | undefined, otherwise: string): string {
  if (code === "access_denied") return "You cancelled it at your organization’s sign-in.";
  if (code === "forbidden") return "This account is disabled. Ask the owner of this server.";
  // The second one is better-auth's own.
  if (code === "internal_error" || code === "internal_server_error")
    return "Sign-in failed. Try again; if it fails again, ask the owner of this server to look at its log.";
  return otherwise;
}
