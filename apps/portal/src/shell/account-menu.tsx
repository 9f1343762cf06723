import { useNavigate } from "@tanstack/react-router";
import { Keyboard, LogOut, UserRound } from "lucide-react";
import { useSession, useSignOut } from "../session.js";
import { Failure } from "../ui/failure.js";
import { Menu, MenuItem, MenuLabel } from "../ui/menu.js";

/** Who is signed in, their account, and the way out. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { name, email } = useSession();
  const signOut = useSignOut();
  const navigate = useNavigate();
  return (
    <div className="relative">
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            aria-label={`Account of ${name}`}
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-tint text-small font-bold text-accent-ink uppercase hover:brightness-95"
          >
            {name.slice(0, 1)}
          </button>
        }
      >
        <MenuLabel>
          <span className="block font-medium text-ink">{name}</span>
          {email}
        </MenuLabel>
        <MenuItem onSelect={() => void navigate({ to: "/account" })}>
          <UserRound className="size-4 text-muted" aria-hidden />
          Account
        </MenuItem>
        <MenuItem onSelect={onShortcuts}>
          <Keyboard className="size-4 text-muted" aria-hidden />
          Keyboard shortcuts
        </MenuItem>
        <MenuItem onSelect={() => signOut.mutate()}>
          <LogOut className="size-4 text-muted" aria-hidden />
          Sign out
        </MenuItem>
      </Menu>
      {signOut.error !== null && (
        <div className="absolute top-full right-0 z-50 mt-2 w-72">
          <Failure error={signOut.error} onRetry={() => signOut.mutate()} />
        </div>
      )}
    </div>
  );
}
