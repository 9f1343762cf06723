import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useTRPC } from "../api.js";
import { CurrentCard } from "../now/current-card.js";
import { StorageCard } from "../now/storage-card.js";
import { TodayCard } from "../now/today-card.js";
import { TroubleCard } from "../now/trouble-card.js";
import { useLive } from "../now/use-live.js";
import { Card } from "../ui/card.js";
import { ContextRow } from "../ui/context-row.js";
import { Empty } from "../ui/empty.js";
import { Failure } from "../ui/failure.js";
import { Bar, LoadingRows } from "../ui/loading.js";
import { Page } from "../ui/page.js";
import { Ago, startOfDay } from "../ui/time.js";

const today = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

/** What the person looks at, what came in lately, and how it goes. */
export function NowPage() {
  const trpc = useTRPC();
  const since = startOfDay(new Date()).toISOString();
  const isLive = useLive();
  const overview = useQuery(trpc.now.overview.queryOptions({ since }, { placeholderData: keepPreviousData }));

  if (overview.error && !overview.data)
    return (
      <Page title="Now">
        <Failure error={overview.error} onRetry={() => void overview.refetch()} />
      </Page>
    );
  const { data } = overview;
  return (
    <Page title="Now" intro={today.format(new Date())} action={<LiveSign isLive={isLive} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="space-y-4">
          {data === undefined ? <LoadingCurrent /> : data.current !== null && <CurrentCard context={data.current} />}
          {(data === undefined || data.current === null || data.recent.length > 0) && (
            <Card
              title="Recent pages"
              action={
                <Link to="/explore" className="rounded-small text-small font-medium text-accent-ink hover:underline">
                  All in Explore
                </Link>
              }
            >
              {data === undefined && <LoadingRows />}
              {data?.recent.length === 0 && (
                <Empty icon={Inbox} title="Nothing has arrived yet">
                  Press Connect in the extension, then open a page. It shows up here within seconds.
                </Empty>
              )}
              <ul className="pb-1.5">
                {data?.recent.map((item) => (
                  <li key={item.contextId}>
                    <ContextRow item={item} end={<Ago at={item.timestamp} />} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
        <div className="space-y-4">
          {data !== undefined && data.troubles.length > 0 && <TroubleCard troubles={data.troubles} />}
          <TodayCard counts={data?.today} />
          <StorageCard />
        </div>
      </div>
    </Page>
  );
}

function LiveSign({ isLive }: { isLive: boolean }) {
  return (
    <p role="status" className="flex items-center gap-2 text-small text-muted">
      <span className="relative flex size-2">
        {isLive && <span className="absolute inline-flex size-full animate-ping rounded-full bg-good opacity-60" />}
        <span className={`relative inline-flex size-2 rounded-full ${isLive ? "bg-good" : "bg-control"}`} />
      </span>
      {isLive ? "Live" : "Connecting…"}
    </p>
  );
}

function LoadingCurrent() {
  return (
    <Card className="space-y-3 p-5">
      <Bar className="w-24" />
      <Bar className="h-5 w-3/5" />
      <Bar className="w-4/5" />
    </Card>
  );
}
