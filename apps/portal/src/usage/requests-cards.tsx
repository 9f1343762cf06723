import { ChartColumn } from "lucide-react";
import { useState } from "react";
import type { Outputs } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { DayBars } from "../ui/day-bars.js";
import { Empty } from "../ui/empty.js";
import { kindOrder, requestKinds } from "./kinds.js";

type Requests = Outputs["usage"]["requests"];

const number = new Intl.NumberFormat();
/** Keys that are shown at first, those with most requests. */
const keysAtFirst = 6;
const format = (value: number) => number.format(value);

/** Requests by day and kind, those of them over a limit, and by key. */
export function RequestsCards({ data, days }: { data: Requests; days: number }) {
  const [isWhole, setWhole] = useState(false);
  const { today, counts, keys } = data;
  const firstDay = today - days + 1;
  const byDay = (wanted: (count: Requests["counts"][number]) => number) => {
    const values = Array.from({ length: days }, () => 0);
    for (const count of counts) values[count.day - firstDay] = (values[count.day - firstDay] ?? 0) + wanted(count);
    return values;
  };
  const layers = kindOrder
    .map((kind) => ({ kind, values: byDay((count) => (count.kind === kind ? count.requests : 0)) }))
    .filter(({ values }) => values.some((value) => value > 0))
    .map(({ kind, values }) => ({ name: requestKinds[kind].label, color: requestKinds[kind].color, values }));
  const refused = byDay((count) => count.refused);
  const names = new Map(keys.map(({ keyId, name }) => [keyId, name || "Without a name"]));
  const byKey = [...Map.groupBy(counts, ({ keyId }) => keyId)]
    .map(([keyId, of]) => ({ keyId, requests: of.reduce((sum, count) => sum + count.requests, 0) }))
    .sort((one, other) => other.requests - one.requests);
  const most = byKey[0]?.requests ?? 1;

  if (layers.length === 0)
    return (
      <Card title="Requests" className="lg:col-span-2">
        <Empty icon={ChartColumn} title="No requests in this time">
          What your keys are used for is counted here, by day. Requests of this portal are not.
        </Empty>
      </Card>
    );
  return (
    <>
      <Card title="Requests" className="pb-4 lg:col-span-2">
        <DayBars label="Requests by day" firstDay={firstDay} layers={layers} format={format} />
      </Card>
      <Card title="By key" className="pb-4">
        <ul className="space-y-3 px-4">
          {byKey.slice(0, isWhole ? undefined : keysAtFirst).map(({ keyId, requests }) => (
            <li key={keyId} className="text-small">
              <span className="flex justify-between gap-3">
                <span className="truncate" title={keyId}>
                  {names.get(keyId) ?? "A key that is gone"}
                </span>
                <span className="font-medium tabular-nums">{format(requests)}</span>
              </span>
              <span className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
                <span className="block h-full rounded-full bg-accent" style={{ width: `${(requests / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ul>
        {!isWhole && byKey.length > keysAtFirst && (
          <Button look="quiet" size="small" className="mt-2 ml-1.5" onClick={() => setWhole(true)}>
            Show all {byKey.length} keys
          </Button>
        )}
      </Card>
      <Card title="Over a rate limit" className="pb-4">
        {refused.every((value) => value === 0) ? (
          <p className="px-4 text-muted">Nothing was refused in this time.</p>
        ) : (
          <DayBars
            label="Refused requests by day"
            firstDay={firstDay}
            layers={[{ name: "Refused", color: "bg-bad", values: refused }]}
            format={format}
          />
        )}
      </Card>
    </>
  );
}
