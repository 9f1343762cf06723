import { Link } from "@tanstack/react-router";
import { useSession } from "../session.js";
import { navigation } from "./navigation.js";

/** Links to every page that the person may open. */
export function NavigationList({ onFollow }: { onFollow?: () => void }) {
  const { isOwner } = useSession();
  return (
    <nav aria-label="Pages" className="flex flex-col gap-5">
      {navigation
        .filter((group) => isOwner || group.isOwnerOnly !== true)
        .map((group) => (
          <div key={group.title ?? ""}>
            {group.title !== undefined && <p className="px-2 pb-1 text-tiny font-medium text-muted">{group.title}</p>}
            <ul className="flex flex-col gap-px">
              {group.entries.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    onClick={onFollow}
                    activeOptions={{ exact: to === "/" }}
                    className="group flex h-8 items-center gap-2.5 rounded-small px-2 font-medium text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink"
                  >
                    <Icon className="size-4 group-aria-[current=page]:text-accent-ink" strokeWidth={1.9} aria-hidden />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}
