import { Fragment, memo } from "react";
import type { Outputs } from "../api.js";
import { ContextRow } from "../ui/context-row.js";
import { ContextTitle, RedactedText } from "../ui/redacted-text.js";
import { Ago, formatDay, TimeOfDay } from "../ui/time.js";
import { Highlight } from "./highlight.js";

type Page = Outputs["explore"]["search"];
type Result = Page["results"][number];

/** Pages of one search. They are drawn once, however often the page around them is drawn while a person types. */
export const Results = memo(function Results({ pages }: { pages: readonly Page[] }) {
  const results = pages.flatMap((page) => page.results);
  const query = pages[0]?.correctedQuery ?? pages[0]?.query;
  return query === undefined ? <Timeline results={results} /> : <RankedResults results={results} query={query} />;
});

/** Results of words, best first. */
function RankedResults({ results, query }: { results: readonly Result[]; query: string }) {
  const highlight = (text: string) => <Highlight text={text} query={query} />;
  return (
    <ul className="divide-y divide-line">
      {results.map((item) => (
        <li key={item.contextId}>
          <ContextRow item={item} title={<ContextTitle title={item.title} renderText={highlight} />} end={<Ago at={item.timestamp} />}>
            {item.snippet !== "" && (
              <span dir="auto" className="mt-1 line-clamp-2 text-left text-muted wrap-anywhere">
                <RedactedText text={item.snippet} renderText={highlight} />
              </span>
            )}
          </ContextRow>
        </li>
      ))}
    </ul>
  );
}

/** Results without words, newest first, under the days they are of. */
function Timeline({ results }: { results: readonly Result[] }) {
  const days = Object.entries(Object.groupBy(results, ({ timestamp }) => formatDay(new Date(timestamp))));
  return days.map(([name, items = []]) => (
    <Fragment key={name}>
      <h2 className="sticky top-13 z-10 border-y border-line bg-back px-4 py-1.5 text-small font-medium text-muted first:border-t-0 md:top-0">
        {name}
      </h2>
      <ul className="py-1">
        {items.map((item) => (
          <li key={item.contextId}>
            <ContextRow item={item} end={<TimeOfDay at={item.timestamp} />} />
          </li>
        ))}
      </ul>
    </Fragment>
  ));
}
