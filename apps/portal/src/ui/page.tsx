import type { ReactNode } from "react";
import { useEffect } from "react";

/** The head and the column of a page. Names the browser's tab. */
export function Page({ title, intro, action, children }: { title: string; intro?: ReactNode; action?: ReactNode; children: ReactNode }) {
  useTabTitle(title);
  return (
    <div className="mx-auto w-full max-w-[1120px] px-4 pt-6 pb-16 md:px-8 md:pt-8">
      <header className="mb-6">
        <div className="flex min-h-8 items-center justify-between gap-4">
          <h1 className="text-title font-bold tracking-tight">{title}</h1>
          {action}
        </div>
        {intro !== undefined && <p className="mt-0.5 text-muted">{intro}</p>}
      </header>
      {children}
    </div>
  );
}

/** Names the browser's tab while the caller is shown. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Periscope`;
  }, [title]);
}
