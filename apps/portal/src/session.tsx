import { createContext, type ReactNode, useContext } from "react";
import { type Outputs, useTRPCClient } from "./api.js";

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

/** Ends the session and leaves with all that was loaded. */
export function useSignOut(): () => void {
  const client = useTRPCClient();
  return () => void client.session.signOut.mutate().finally(() => location.assign("/sign-in"));
}

/** Signs in. Rejects with what to tell the person. */
export async function signInWithPassword(account: { email: string; password: string }): Promise<void> {
  const response = await fetch("/portal/auth/sign-in/email", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  if (response.ok) return;
  if (response.status === 429) throw new Error("Too many attempts. Wait a minute, then try again.");
  if (response.status >= 500) throw new Error("The server could not check this. Try again.");
  throw new Error("This email and password do not go together. Check both.");
}
