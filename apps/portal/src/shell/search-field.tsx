import { useNavigate, useRouterState } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useRef } from "react";

/** The field of the top bar: what is typed is searched in Explore, which has a field of its own. */
export function SearchField() {
  const navigate = useNavigate();
  const isExplore = useRouterState({ select: ({ location }) => location.pathname === "/explore" });
  const field = useRef<HTMLInputElement>(null);
  if (isExplore) return <p className="grow font-bold tracking-tight">Explore</p>;
  return (
    <form
      role="search"
      className="relative min-w-0 max-w-[400px] grow"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: "/explore", search: { query: field.current?.value.trim() ?? "" } });
      }}
    >
      <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" aria-hidden />
      <input
        id="search"
        ref={field}
        type="search"
        aria-label="Search your pages"
        placeholder="Search your pages"
        className="h-8 w-full rounded-small border border-transparent bg-sunken pr-8 pl-8 placeholder:text-muted hover:bg-hover focus:border-accent focus:bg-surface focus:shadow-[0_0_0_1px_var(--accent)] focus:outline-none"
      />
      <kbd className="pointer-events-none absolute top-1/2 right-2 hidden h-5 -translate-y-1/2 place-items-center rounded-[4px] border border-line bg-surface px-1.5 font-sans text-tiny text-muted md:grid">
        /
      </kbd>
    </form>
  );
}
