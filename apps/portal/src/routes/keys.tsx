import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useTRPC } from "../api.js";
import { ConfigurationTabs } from "../connect/configuration-tabs.js";
import { agentConfigurations } from "../connect/configurations.js";
import { hasEnded, keyColumns, KeyRow } from "../keys/key-row.js";
import { NewKey } from "../keys/new-key.js";
import { Card } from "../ui/card.js";
import { Empty } from "../ui/empty.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Page } from "../ui/page.js";

/** API keys: what each may do, and how much it is used. */
export function KeysPage() {
  const trpc = useTRPC();
  const { data: keys, error, refetch } = useQuery(trpc.keys.list.queryOptions());
  const current = keys?.filter((key) => !hasEnded(key)) ?? [];
  const ended = keys?.filter(hasEnded) ?? [];
  return (
    <Page title="Keys" intro="Programs and agents use these to reach what is stored." action={<NewKey />}>
      {error !== null && keys === undefined ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="space-y-4">
          <Card className="overflow-clip">
            {keys === undefined ? (
              <LoadingRows rows={4} />
            ) : current.length === 0 ? (
              <Empty icon={KeyRound} title="No key works at the moment">
                Make one for each agent or program that may ask for your pages.
              </Empty>
            ) : (
              <>
                <div
                  aria-hidden
                  className={`hidden h-9 items-center gap-x-4 border-b border-line bg-back px-4 text-small text-muted md:grid ${keyColumns}`}
                >
                  <span>Key</span>
                  <span>Last 14 days</span>
                  <span>Last used</span>
                  <span>Expires</span>
                </div>
                <ul className="divide-y divide-line">
                  {current.map((key) => (
                    <KeyRow key={key.keyId} apiKey={key} />
                  ))}
                </ul>
              </>
            )}
          </Card>
          <Card title="Connect an agent without a key">
            <div className="px-4 pb-4">
              <p className="mb-3 text-muted">It opens this server in your browser. You say what it may do, and its access shows above.</p>
              <ConfigurationTabs configurations={agentConfigurations(location.origin)} />
            </div>
          </Card>
          {ended.length > 0 && (
            <details className="group rounded-large border border-line">
              <summary className="flex h-11 cursor-pointer items-center px-4 text-small font-medium text-muted">
                Ended keys
                <span className="ml-2 tabular-nums">{ended.length}</span>
              </summary>
              <ul className="divide-y divide-line border-t border-line">
                {ended.map((key) => (
                  <KeyRow key={key.keyId} apiKey={key} />
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
    </Page>
  );
}
