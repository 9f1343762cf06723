import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What a list shows while there is nothing in it: why, and what to do. */
export function Empty({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-large border border-line bg-back text-muted">
        <Icon className="size-5" strokeWidth={1.75} aria-hidden />
      </span>
      <h2 className="font-bold">{title}</h2>
      {children !== undefined && <p className="mt-1 max-w-[44ch] text-muted">{children}</p>}
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
