import { useEffect, useState } from "react";

/** The token behind the `#` of an address. It is taken out of the address, so that it does not stay in the history. */
export function useHashToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const hide = () => history.replaceState(history.state, "", location.pathname);
    // Another address of the same page, entered in its tab, loads nothing.
    const take = () => {
      if (location.hash === "") return;
      setToken(location.hash.slice(1));
      hide();
    };
    hide();
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  return token;
}
