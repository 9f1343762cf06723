/**
 * Puts the query of `/authorize` into one parameter before the router reads it, which would turn texts into numbers: a program must get
 * its `state` back as it wrote it. On the way through the sign-in it stays whole, too.
 */
export function keepAuthorizationRequest(): void {
  const { pathname, search } = location;
  if (pathname !== "/authorize" || new URLSearchParams(search).has("request")) return;
  history.replaceState(history.state, "", `${pathname}?${new URLSearchParams({ request: search.slice(1) }).toString()}`);
}
