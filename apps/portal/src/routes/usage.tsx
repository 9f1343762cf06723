import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../api.js";
import { Card } from "../ui/card.js";
import { Failure } from "../ui/failure.js";
import { Bar } from "../ui/loading.js";
import { Page } from "../ui/page.js";
import { Segments } from "../ui/segments.js";
import { LimitsCard } from "../usage/limits-card.js";
import { RequestsCards } from "../usage/requests-cards.js";
import { StoredCards } from "../usage/stored-cards.js";

const periods = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
];

/** What keys were used for, rate limits, and what was stored when. */
export function UsagePage() {
  const trpc = useTRPC();
  const [period, setPeriod] = useState("30");
  const days = Number(period);
  const requests = useQuery(trpc.usage.requests.queryOptions({ days }, { placeholderData: keepPreviousData }));
  const stored = useQuery(trpc.usage.stored.queryOptions({ days }, { placeholderData: keepPreviousData }));
  const error = requests.data === undefined ? requests.error : stored.data === undefined ? stored.error : null;
  const retry = () => void Promise.all([requests.refetch(), stored.refetch()]);
  return (
    <Page
      title="Usage"
      intro="Days begin at midnight UTC. Requests are kept for 90 days."
      action={<Segments label="Time" value={period} onChange={setPeriod} choices={periods} />}
    >
      {error !== null && (
        <div className="mb-4">
          <Failure error={error} onRetry={retry} />
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        {requests.data === undefined ? (
          error === null && <LoadingPlot title="Requests" />
        ) : (
          <RequestsCards data={requests.data} days={days} />
        )}
        <LimitsCard />
        {requests.data !== undefined && stored.data !== undefined && (
          <StoredCards stored={stored.data} today={requests.data.today} days={days} />
        )}
      </div>
    </Page>
  );
}

function LoadingPlot({ title }: { title: string }) {
  return (
    <Card title={title} className="lg:col-span-2">
      <div role="status" aria-label="Loading" className="space-y-4 px-4 pb-4">
        <Bar className="h-5 w-24" />
        <Bar className="h-32" />
      </div>
    </Card>
  );
}
