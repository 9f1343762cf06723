import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Search, SearchX } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTRPC } from "../api.js";
import { DeleteResults } from "../explore/delete-results.js";
import type { Filter } from "../explore/filter.js";
import { FilterBar } from "../explore/filter-bar.js";
import { Histogram } from "../explore/histogram.js";
import { QueryHelp } from "../explore/query-help.js";
import { Results } from "../explore/results.js";
import { ResultsEnd } from "../explore/results-end.js";
import { Card } from "../ui/card.js";
import { Empty } from "../ui/empty.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { useTabTitle } from "../ui/page.js";

const route = getRouteApi("/app/framed/explore");
/** Without a key for so long, a person has stopped typing. */
const pauseMs = 300;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const number = new Intl.NumberFormat();

/** Searches while the person types, with filters, over everything that is stored. */
export function ExplorePage() {
  useTabTitle("Explore");
  const trpc = useTRPC();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  // Each change of a filter adds a history entry; typing does not.
  const change = useCallback(
    (changes: { [Name in keyof Filter]: Filter[Name] | undefined }, { replace = false, toTop = false } = {}) =>
      navigate({ search: (before) => definedOnly({ ...before, ...changes }), replace, resetScroll: toTop }),
    [navigate],
  );
  // What was typed is searched at once. It comes into the address at the next pause: navigating would hold up the results.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? address.query ?? "";
  const filter = definedOnly({ ...address, query: text.trim() === "" ? undefined : text });

  const search = useInfiniteQuery(
    trpc.explore.search.infiniteQueryOptions(
      { ...filter, zone },
      {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        placeholderData: keepPreviousData,
        trpc: { abortOnUnmount: true },
      },
    ),
  );

  const first = search.data?.pages[0];
  const isFiltered = Object.keys(filter).length > 0;
  const isEmpty = first?.total === 0 && !isFiltered;
  const isShown = first !== undefined && !search.isPlaceholderData;
  const { query } = filter;
  const keepInAddress = useCallback(() => {
    if (typed !== undefined)
      void change({ query }, { replace: true }).then(() => setTyped((newest) => (newest === typed ? undefined : newest)));
  }, [typed, query, change]);
  useEffect(() => {
    const timer = setTimeout(keepInAddress, pauseMs);
    return () => clearTimeout(timer);
  }, [keepInAddress]);
  const brush = useCallback(
    (since: number, until: number) => void change({ since: new Date(since).toISOString(), until: new Date(until).toISOString() }),
    [change],
  );
  // Includes the last moment again, so that results of the same moment are not skipped.
  const older = useCallback(
    (last: string) => void change({ until: new Date(Date.parse(last) + 1).toISOString() }, { toTop: true }),
    [change],
  );
  return (
    <div className="mx-auto w-full max-w-[1120px] px-4 pt-6 pb-16 md:px-8 md:pt-8">
      <h1 className="sr-only">Explore</h1>
      <div className="relative">
        <Search className="pointer-events-none absolute top-1/2 left-3.5 size-4.5 -translate-y-1/2 text-muted" aria-hidden />
        <input
          id="explore-query"
          type="search"
          aria-label="Search everything you have seen"
          placeholder="Search everything you have seen"
          autoComplete="off"
          autoFocus
          spellCheck={false}
          value={text}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={keepInAddress}
          className="h-11 w-full rounded-medium border border-control/60 bg-surface pr-12 pl-10.5 text-large shadow-card placeholder:text-muted focus:border-accent focus:shadow-[0_0_0_1px_var(--accent)] focus:outline-none [&::-webkit-search-cancel-button]:hidden"
        />
        <span className="absolute top-1.5 right-1.5">
          <QueryHelp />
        </span>
      </div>
      <div className="mt-2">
        <FilterBar filter={address} onChange={change} />
      </div>

      <Card className="mt-3 overflow-clip">
        {!isEmpty && <Histogram buckets={first?.histogram} onBrush={brush} />}
        <div className={isEmpty ? "sr-only" : "flex h-10 items-center justify-between gap-3 border-t border-line px-4"}>
          <p role="status" className="truncate text-small text-muted tabular-nums">
            {first !== undefined && sayTotal(first)}
            {first?.correctedQuery !== undefined && (
              <>
                {" for "}
                <span className="font-medium text-ink">{first.correctedQuery}</span>
              </>
            )}
          </p>
          {isFiltered && first !== undefined && first.results.length > 0 && (
            // What is shown is of these words.
            <DeleteResults filter={first.correctedQuery === undefined ? filter : { ...filter, query: first.correctedQuery }} />
          )}
        </div>
        <div className={isEmpty ? "" : "border-t border-line"} data-shown={isShown ? (query ?? "") : undefined}>
          {search.error && search.data === undefined && !search.isFetching ? (
            <div className="p-4">
              <Failure error={search.error} onRetry={() => void search.refetch()} />
            </div>
          ) : first === undefined ? (
            <LoadingRows rows={8} />
          ) : first.results.length === 0 ? (
            <Empty icon={isFiltered ? SearchX : Search} title={isFiltered ? "Nothing matches" : "Nothing is stored yet"}>
              {isFiltered
                ? "Try fewer or other words, or clear a filter."
                : "Pages that your browser sends appear here, and every word of them can be searched."}
            </Empty>
          ) : (
            <>
              <Results pages={search.data?.pages ?? []} />
              {isShown && <ResultsEnd search={search} onOlder={older} />}
            </>
          )}
        </div>
      </Card>
    </div>
  );
}

function sayTotal({ total, totalIsExact }: { total: number; totalIsExact: boolean }): string {
  const count = `${number.format(total)} ${total === 1 ? "context" : "contexts"}`;
  return totalIsExact ? count : `More than ${count}`;
}

function definedOnly(filter: { [Name in keyof Filter]: Filter[Name] | undefined }): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
