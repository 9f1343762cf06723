import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useTRPC } from "../api.js";
import { Badge } from "../ui/badge.js";
import { Card } from "../ui/card.js";
import { Fact } from "../ui/fact.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { MetricsCard } from "../system/metrics-card.js";
import { Page } from "../ui/page.js";
import { Ago } from "../ui/time.js";

const sources = { default: "Default", environment: "Environment", flag: "Flag" } as const;

/** How the server runs: version, findings, and every setting with where it came from. */
export function SystemPage() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.system.overview.queryOptions());
  return (
    <Page title="System" intro="How this server runs. “periscope doctor” on its machine also looks for damage in the database.">
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingRows rows={6} />}
      {data !== undefined && (
        <div className="space-y-4">
          <Card title="Server">
            <dl className="grid grid-cols-2 gap-4 px-4 pb-4 lg:grid-cols-4">
              <Fact name="Version" value={data.version} />
              <Fact name="Node.js" value={data.nodeVersion} />
              <Fact name="Started" value={<Ago at={data.startedAt} />} />
              <Fact name="Processor time" value={`${Math.round(data.processorSeconds)} s`} />
            </dl>
          </Card>
          <MetricsCard />
          <Card title="Findings">
            <ul className="space-y-2 px-4 pb-4">
              {data.findings.map(({ isOk, what, advice }) => (
                <li key={what} className="flex gap-2.5">
                  {isOk ? (
                    <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-label="Good" />
                  ) : (
                    <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-label="Problem" />
                  )}
                  <div className="min-w-0">
                    <p className="wrap-anywhere first-letter:uppercase">{what}</p>
                    {advice !== undefined && <p className="text-muted wrap-anywhere">{advice}</p>}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
          <Card title="Settings in force">
            <ul className="divide-y divide-line border-t border-line">
              {data.settings.map(({ name, value, source }) => (
                <li
                  key={name}
                  className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2 md:grid-cols-[260px_minmax(0,1fr)_auto]"
                >
                  <code className="truncate font-mono text-small">{name}</code>
                  <span className="text-muted wrap-anywhere max-md:col-span-2 max-md:row-start-2">{value || "none"}</span>
                  <Badge tone={source === "default" ? "neutral" : "accent"}>{sources[source]}</Badge>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
    </Page>
  );
}
