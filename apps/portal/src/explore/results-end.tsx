import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Outputs } from "../api.js";
import { Button } from "../ui/button.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Moment } from "../ui/time.js";

type Search = Pick<
  UseInfiniteQueryResult<InfiniteData<Outputs["explore"]["search"]>, { message: string }>,
  "data" | "error" | "hasNextPage" | "isFetching" | "isFetchingNextPage" | "isFetchNextPageError" | "fetchNextPage" | "refetch"
>;

/** So many rows are drawn at most: with more of them, typing becomes slow. */
const rowsMax = 500;

interface ResultsEndProps {
  search: Search;
  /** Called with the time of the last result, to show what is older. */
  onOlder: (last: string) => void;
}

/** What follows the last result: the next page once it comes near, or the way on from a list that is long enough. */
export function ResultsEnd({ search, onOlder }: ResultsEndProps) {
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = search;
  const results = data?.pages.flatMap((page) => page.results) ?? [];
  const last = results.at(-1);
  if (error && !isFetching)
    return (
      <div className="border-t border-line p-4">
        <Failure error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />
      </div>
    );
  if (!hasNextPage || last === undefined) return null;
  if (results.length < rowsMax)
    return (
      <div className="relative border-t border-line">
        {isFetchingNextPage ? <LoadingRows rows={2} /> : <LoadMoreSentinel key={results.length} onVisible={() => void fetchNextPage()} />}
      </div>
    );
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 text-small text-muted">
      {data?.pages[0]?.query === undefined ? (
        <>
          <p>
            Showing {results.length} contexts, back to <Moment at={last.timestamp} />.
          </p>
          <Button size="small" onClick={() => onOlder(last.timestamp)}>
            Show older
          </Button>
        </>
      ) : (
        <p>Showing the {results.length} best matches. Add a word or a filter to narrow the search.</p>
      )}
    </div>
  );
}

/** An invisible element above the end of what is shown, which says when it comes into view. */
function LoadMoreSentinel({ onVisible }: { onVisible: () => void }) {
  const sentinel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && onVisible());
    if (sentinel.current) observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [onVisible]);
  return <div ref={sentinel} className="pointer-events-none absolute inset-x-0 bottom-0 h-75" />;
}
