import type { ReactNode } from "react";
import { type Outputs, useTRPCClient } from "../api.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Confirm } from "../ui/confirm.js";
import { levels } from "../ui/context-facts.js";
import { Ago, formatDay } from "../ui/time.js";
import { UsesPlot } from "./uses-plot.js";

export type ApiKey = Outputs["keys"]["list"][number];

const dayMs = 86_400_000;

/** Whether requests with the key are refused. */
export function hasEnded({ revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}

/** The columns of the list from tablets on. */
export const keyColumns = "md:grid-cols-[minmax(0,1fr)_128px_124px_104px_72px]";

/** A key: what it may do, how much it was used, and a button that ends it. */
export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { keyId, name, scopes, maxPrivacyLevel, createdAt, expiresAt, lastUsedAt, revokedAt, uses } = apiKey;
  const isOver = hasEnded(apiKey);
  const shownName = name || "Without a name";
  return (
    <li className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 ${keyColumns}`}>
      <div className="min-w-0">
        <p className="truncate font-medium" title={shownName}>
          {shownName}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-1">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
          {maxPrivacyLevel !== "restricted" && <Badge tone="accent">up to {levels[maxPrivacyLevel].label.toLowerCase()}</Badge>}
          <span className="ml-1 hidden font-mono text-tiny text-muted lg:inline" title={keyId}>
            psk_{keyId.slice(0, 4)}…{keyId.slice(-4)}
          </span>
        </p>
      </div>
      <Cell name="Uses" className="max-md:row-start-2">
        <UsesPlot uses={uses} />
      </Cell>
      <Cell name="Last used" className="text-small text-muted max-md:col-span-2">
        {lastUsedAt === null ? (
          "Never used"
        ) : (
          <>
            <span className="md:hidden">Used </span>
            <Ago at={lastUsedAt} />
          </>
        )}
        <span className="md:block">
          <span className="md:hidden"> · </span>
          <span title={new Date(createdAt).toLocaleString()}>made {formatDay(new Date(createdAt)).toLowerCase()}</span>
        </span>
      </Cell>
      <Cell name="Expires" className="text-small max-md:row-start-2 max-md:justify-self-end">
        <Expiry expiresAt={expiresAt} revokedAt={revokedAt} />
      </Cell>
      <div className="-mr-2.5 self-start justify-self-end max-md:col-start-2 max-md:row-start-1 md:self-center">
        {!isOver && <Revoke keyId={keyId} name={shownName} />}
      </div>
    </li>
  );
}

function Cell({ name, className, children }: { name: string; className: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${className}`}>
      <span className="sr-only">{name}: </span>
      {children}
    </div>
  );
}

function Expiry({ expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">) {
  if (revokedAt !== null) return <Badge>Revoked</Badge>;
  if (expiresAt === null) return <span className="text-muted">Never expires</span>;
  const days = Math.ceil((Date.parse(expiresAt) - Date.now()) / dayMs);
  if (days <= 0) return <Badge>Expired</Badge>;
  const text = days === 1 ? "In a day" : `In ${days} days`;
  return days <= 7 ? <Badge tone="warn">{text}</Badge> : <span className="text-muted">{text}</span>;
}

function Revoke({ keyId, name }: { keyId: string; name: string }) {
  const client = useTRPCClient();
  return (
    <Confirm
      trigger={
        <Button look="quiet" size="small" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
      title={`Revoke “${name}”?`}
      action="Revoke key"
      onConfirm={() => client.keys.revoke.mutate({ keyId })}
    >
      Whatever uses this key is refused from now on. What is stored stays. A revoked key cannot be brought back.
    </Confirm>
  );
}
