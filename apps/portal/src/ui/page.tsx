import type { ReactNode } from "react";
import { useEffect } from "react";

/** The head and the column of a page. Names the browser's tab. */
export function Page({ title, intro, action, children }: { title: string; intro?: ReactNode; action?: ReactNode; children: ReactNode }) {
  useTabTitle(title);
  return (
    <div className="mx-auto w-full max-w-[1120px] px-4 pt-6 pb-16 md:px-8 md:pt-8">
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-title font-bold tracking-tight">{title}</h1>
          {intro !== undefined && <p className="mt-0.5 text-muted">{intro}</p>}
        </div>
        {action !== undefined && <div className="flex items-center gap-2">{action}</div>}
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
