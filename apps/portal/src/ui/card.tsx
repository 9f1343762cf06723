import type { ReactNode } from "react";
import { classNames } from "./class-names.js";

/** A bordered surface. With a title it is a section of its own. */
export function Card({
  title,
  action,
  className,
  children,
}: {
  title?: string;
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const classes = classNames("rounded-large border border-line bg-surface", className);
  if (title === undefined) return <div className={classes}>{children}</div>;
  return (
    <section className={classes} aria-label={title}>
      <header className="flex h-11 items-center justify-between gap-3 px-4">
        <h2 className="text-small font-medium text-muted">{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}
