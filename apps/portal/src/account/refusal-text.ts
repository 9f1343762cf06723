/** What to tell a person whom the identity provider, or better-auth, led back with an error code. */
export const refusalText = (code: string | undefined, otherwise: string): string =>
  code === "access_denied" ? "You cancelled it at your organization’s sign-in." : otherwise;
