import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import logo from "./logo.svg";
import { useTabTitle } from "./page.js";

/** The frame of pages for who is not signed in: one column in the middle. */
export function Entrance({
  title,
  intro,
  isWide = false,
  children,
}: {
  title: string;
  intro?: ReactNode;
  isWide?: boolean;
  children?: ReactNode;
}) {
  useTabTitle(title);
  return (
    <main className="grid min-h-dvh place-items-center bg-back px-4 py-10">
      <div className={isWide ? "w-full max-w-[640px]" : "w-full max-w-[380px]"}>
        <img src={logo} alt="Periscope" className="mx-auto size-10" />
        <h1 className="mt-5 text-center text-title font-bold tracking-tight">{title}</h1>
        {intro !== undefined && <p className="mt-1 text-center text-balance text-muted">{intro}</p>}
        <div className="mt-7">{children}</div>
      </div>
    </main>
  );
}

/** Link to the sign-in page, for people who already have an account. */
export function SignInLink() {
  return (
    <p className="mt-5 text-center text-small text-muted">
      Do you have an account?{" "}
      <Link to="/sign-in" className="rounded-small font-medium text-accent-ink hover:underline">
        Sign in
      </Link>
    </p>
  );
}
