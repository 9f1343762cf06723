import { Link, Outlet } from "@tanstack/react-router";
import { useState } from "react";
import logo from "../ui/logo.svg";
import { AccountMenu } from "./account-menu.js";
import { BottomBar } from "./bottom-bar.js";
import { NavigationList } from "./navigation-list.js";
import { SearchField } from "./search-field.js";
import { Shortcuts } from "./shortcuts.js";

/** The frame of every page for who is signed in: sidebar and top bar, on a phone a bar below. */
export function Shell() {
  const [hasShortcuts, showShortcuts] = useState(false);
  return (
    <div className="flex min-h-dvh bg-back md:h-dvh md:overflow-hidden">
      <a
        href="#main"
        className="sr-only z-50 rounded-small bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="hidden w-56 shrink-0 flex-col overflow-y-auto px-3 pb-3 md:flex">
        <Link to="/" className="mb-2 flex h-14 items-center gap-2.5 rounded-small px-2 font-bold tracking-tight">
          <img src={logo} alt="" className="size-6" />
          Periscope
        </Link>
        <NavigationList />
      </aside>
      <div className="flex min-w-0 grow flex-col md:p-2 md:pl-0">
        <div className="flex min-w-0 grow flex-col bg-surface md:min-h-0 md:overflow-hidden md:rounded-large md:border md:border-line md:shadow-card">
          <header className="sticky top-0 z-30 flex h-13 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 md:static">
            <Link to="/" aria-label="Now" className="shrink-0 rounded-small md:hidden">
              <img src={logo} alt="" className="size-7" />
            </Link>
            <SearchField />
            <div className="ml-auto">
              <AccountMenu onShortcuts={() => showShortcuts(true)} />
            </div>
          </header>
          {/* It is scrolled by keys also where it has no control. */}
          <main
            id="main"
            tabIndex={0}
            className="min-h-0 grow pb-16 outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] md:overflow-y-auto md:rounded-b-large md:pb-0"
          >
            <Outlet />
          </main>
        </div>
      </div>
      <BottomBar />
      <Shortcuts isOpen={hasShortcuts} onOpenChange={showShortcuts} />
    </div>
  );
}
