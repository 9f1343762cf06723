import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { type Outputs, useTRPC } from "./api.js";

/** The person who is signed in. */
export type Session = NonNullable<Outputs["session"]["me"]>;

const SessionContext = createContext<Session | null>(null);

/** Tells what is inside who is signed in. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Who is signed in; only inside a {@link SessionProvider}. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("Nobody is signed in here.");
  return session;
}

/** Ends the session and leaves with all that was loaded. @param to the page that the next sign-in leads to */
export function useSignOut(to?: string) {
  const address = to === undefined ? "/sign-in" : `/sign-in?to=${encodeURIComponent(to)}`;
  return useMutation(useTRPC().session.signOut.mutationOptions({ onSuccess: () => location.assign(address) }));
}
