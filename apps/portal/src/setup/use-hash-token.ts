import { useEffect, useState } from "react";

/** The token behind the `#` of an address. It is taken out of the address, so that it does not stay in the history. */
export function useHashToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, "", location.pathname), []);
  return token;
}
