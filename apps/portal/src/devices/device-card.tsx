import { MonitorSmartphone, TriangleAlert } from "lucide-react";
import { type Outputs, useTRPCClient } from "../api.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Confirm } from "../ui/confirm.js";
import { RedactedText } from "../ui/redacted-text.js";
import { Ago } from "../ui/time.js";

type Device = Outputs["devices"]["list"][number];

/** One extension: whether it can send, when it was heard of, and what it reported. */
export function DeviceCard({ device }: { device: Device }) {
  const { extensionId, lastSeenAt, key, settings, settingsAt, troubles } = device;
  const title = key?.name || extensionId;
  const reported = Object.entries(settings);
  return (
    <Card>
      <div className="flex items-start gap-3 p-4">
        <span className="grid size-9 shrink-0 place-items-center rounded-medium border border-line bg-back text-muted">
          <MonitorSmartphone className="size-4.5" strokeWidth={1.75} aria-hidden />
        </span>
        <div className="min-w-0 grow">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            <span className="min-w-0 truncate">{title}</span>
            {key !== null && (key.isValid ? <Badge tone="good">Paired</Badge> : <Badge tone="warn">Unpaired</Badge>)}
          </h2>
          <p className="mt-0.5 text-small text-muted">
            Last heard <Ago at={lastSeenAt} />
            {title !== extensionId && (
              <>
                {" · "}
                <span className="font-mono text-tiny wrap-anywhere">{extensionId}</span>
              </>
            )}
          </p>
        </div>
        {key?.isValid === true && <Unpair extensionId={extensionId} title={title} sharedBy={key.sharedBy} />}
      </div>
      {reported.length > 0 && (
        <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line px-4 py-3 text-small sm:grid-cols-3">
          {reported.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="truncate text-muted">{toWords(name)}</dt>
              <dd className="truncate font-medium tabular-nums" title={toText(value)}>
                {toText(value)}
              </dd>
            </div>
          ))}
          {settingsAt !== null && (
            <div className="min-w-0">
              <dt className="text-muted">Reported</dt>
              <dd className="font-medium">
                <Ago at={settingsAt} />
              </dd>
            </div>
          )}
        </dl>
      )}
      {troubles.length > 0 && (
        <ul aria-label="Trouble in the last 7 days" className="space-y-2.5 border-t border-line px-4 py-3">
          {troubles.map(({ code, message, occurredAt, times }) => (
            <li key={code} className="flex gap-2.5 text-small">
              <TriangleAlert className="mt-0.5 size-3.5 shrink-0 text-warn" aria-hidden />
              <div className="min-w-0">
                <p className="wrap-anywhere">
                  <RedactedText text={message || code} />
                </p>
                <p className="mt-0.5 text-muted">
                  <Ago at={occurredAt} />
                  {times > 1 && `, ${times} times in 7 days`}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Unpair({ extensionId, title, sharedBy }: { extensionId: string; title: string; sharedBy: number }) {
  const client = useTRPCClient();
  return (
    <Confirm
      trigger={
        <Button size="small" aria-label={`Unpair ${title}`}>
          Unpair
        </Button>
      }
      title={`Unpair ${title}?`}
      action="Unpair"
      onConfirm={() => client.devices.unpair.mutate({ extensionId })}
    >
      Its key is revoked, so that nothing more arrives from it, and programs with this key stop too. What is stored stays.
      {sharedBy > 0 && ` ${sharedBy === 1 ? "Another device uses" : `${sharedBy} other devices use`} the same key and cannot send either.`}
    </Confirm>
  );
}

/** `queuedMessages` as "Queued messages". */
function toWords(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toText(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : JSON.stringify(value);
}
