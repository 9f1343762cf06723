import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api.js";
import { Card } from "../ui/card.js";
import { Failure } from "../ui/failure.js";
import { Bar } from "../ui/loading.js";
import { requestKinds } from "./kinds.js";

const number = new Intl.NumberFormat();

/** Where the person stands in each rate limit of this minute. */
export function LimitsCard() {
  const trpc = useTRPC();
  const { data: limits, error, refetch } = useQuery(trpc.usage.limits.queryOptions(undefined, { refetchInterval: 10_000 }));
  return (
    <Card title="Rate limits, this minute" className="pb-4 lg:col-span-2">
      {error !== null && limits === undefined ? (
        <div className="px-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <ul className="grid gap-x-8 gap-y-3 px-4 sm:grid-cols-2 lg:grid-cols-5 lg:gap-x-6">
          {limits === undefined
            ? [1, 2, 3, 4, 5].map((place) => (
                <li key={place}>
                  <Bar />
                </li>
              ))
            : limits.map(({ budget, limit, used }) => (
                <li key={budget} className="text-small">
                  <span className="flex justify-between gap-3 lg:block">
                    <span className="block text-muted">{requestKinds[budget].label}</span>
                    <span className="tabular-nums">
                      <span className="font-medium">{number.format(used)}</span>
                      <span className="text-muted"> of {number.format(limit)}</span>
                    </span>
                  </span>
                  <span className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
                    <span
                      className={`block h-full rounded-full ${used >= limit ? "bg-bad" : used > limit * 0.8 ? "bg-warn" : "bg-accent"}`}
                      style={{ width: `${(used / limit) * 100}%` }}
                    />
                  </span>
                </li>
              ))}
        </ul>
      )}
    </Card>
  );
}
