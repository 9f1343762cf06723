import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { type Outputs, useTRPC } from "../api.js";
import { formatBytes } from "../ui/bytes.js";
import { Card } from "../ui/card.js";
import { Fact } from "../ui/fact.js";
import { Failure } from "../ui/failure.js";
import { Bar } from "../ui/loading.js";

type MetricsSummary = Outputs["system"]["metrics"];

/** A reading, and when it arrived, in milliseconds. */
interface Reading {
  at: number;
  summary: MetricsSummary;
}

const askEveryMs = 5_000;
const number = new Intl.NumberFormat();
const rate = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 });

/** What an operator looks at first: how much there is to do, how fast it is done, and what goes wrong. */
export function MetricsCard() {
  const trpc = useTRPC();
  const { data, dataUpdatedAt, error, refetch } = useQuery(
    trpc.system.metrics.queryOptions(undefined, { refetchInterval: askEveryMs, staleTime: 0, gcTime: 0, structuralSharing: false }),
  );
  const readings = useRef<Reading[]>([]);
  if (data !== undefined && readings.current.at(-1)?.summary !== data)
    readings.current = [...readings.current.slice(-1), { at: dataUpdatedAt, summary: data }];
  const earlier = readings.current.length > 1 ? readings.current[0] : undefined;
  // Each process counts from its own start.
  const before = earlier?.summary.startedAt === data?.startedAt ? earlier : undefined;
  // Until there are two readings, the start is the first one.
  const rateOf = ({ requests, startedAt }: MetricsSummary, { at, summary }: Partial<Reading> = {}) =>
    (requests - (summary?.requests ?? 0)) / Math.max(1, (dataUpdatedAt - (at ?? Date.parse(startedAt))) / 1_000);
  const waiting = <Bar className="mt-2 w-14" />;
  return (
    <Card title="Metrics">
      {error !== null ? (
        <div className="px-4 pb-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <dl className="grid grid-cols-2 gap-4 px-4 pb-4 sm:grid-cols-3 lg:grid-cols-6">
          <Fact
            name="Requests a second"
            value={data ? rate.format(rateOf(data, before)) : waiting}
            note={data && `${number.format(data.requests)} since the start`}
          />
          <Fact
            name="99 % answered in"
            value={data ? formatSlowest(data, before?.summary) : waiting}
            note={before ? "in the last seconds" : "since the start"}
          />
          <Fact name="In progress" value={data ? number.format(data.inProgress) : waiting} note="this one included" />
          <Fact
            name="Failed"
            value={data ? number.format(data.failed) : waiting}
            note={data && `${number.format(data.limited)} more refused by a rate limit`}
          />
          <Fact name="Stored" value={data ? number.format(data.stored) : waiting} note="contexts and updates since the start" />
          <Fact name="Memory" value={data ? formatBytes(data.memoryBytes) : waiting} note="of the server" />
        </dl>
      )}
    </Card>
  );
}

/** Within which time all but one in a hundred were answered: of the requests since an earlier reading, or of all where there were none. */
function formatSlowest({ durations }: MetricsSummary, before: MetricsSummary | undefined): string {
  const since = durations.map(({ seconds, count }, at) => ({ seconds, count: count - (before?.durations[at]?.count ?? 0) }));
  const counted = (since.at(-1)?.count ?? 0) > 0 ? since : durations;
  const total = counted.at(-1)?.count ?? 0;
  const slowest = counted.find(({ count }) => count >= total * 0.99);
  if (!slowest || total === 0) return "–";
  const { seconds } = slowest;
  if (seconds === null) return `over ${durations.at(-2)?.seconds ?? 0} s`;
  return seconds < 1 ? `${number.format(seconds * 1_000)} ms` : `${seconds} s`;
}
