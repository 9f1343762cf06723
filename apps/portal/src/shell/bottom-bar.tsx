import { Link } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { Dialog } from "../ui/dialog.js";
import { navigation } from "./navigation.js";
import { NavigationList } from "./navigation-list.js";

const entryClasses = "flex min-w-0 grow basis-0 flex-col items-center justify-center gap-0.5 text-tiny font-medium text-muted";

/** On a phone: the pages used most, and a drawer with all of them. */
export function BottomBar() {
  const [isOpen, setOpen] = useState(false);
  const entries = navigation.flatMap((group) => group.entries).slice(0, 4);
  return (
    <div className="fixed inset-x-0 bottom-0 z-30 flex h-14 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden">
      <nav aria-label="Main pages" className="flex grow-4 basis-0">
        {entries.map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === "/" }} className={`${entryClasses} aria-[current=page]:text-accent-ink`}>
            <Icon className="size-5" strokeWidth={1.75} aria-hidden />
            {label}
          </Link>
        ))}
      </nav>
      <button type="button" className={entryClasses} onClick={() => setOpen(true)}>
        <MenuIcon className="size-5" strokeWidth={1.75} aria-hidden />
        More
      </button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title="Pages">
        <NavigationList onFollow={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}
