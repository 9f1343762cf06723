import { Link } from "@tanstack/react-router";
import type { Outputs } from "../api.js";
import type { ReactNode } from "react";
import { Card } from "../ui/card.js";
import { kinds } from "../ui/context-facts.js";
import { DeviceName } from "../ui/device-name.js";
import { RedactedText } from "../ui/redacted-text.js";
import { Moment } from "../ui/time.js";

/** Which key got the text of a context last, and when. */
function LastRead({ keyName, keyId, at }: NonNullable<Outputs["explore"]["context"]["lastRead"]>) {
  return (
    <>
      <Link to="/keys" className="rounded-small font-medium text-accent-ink wrap-anywhere hover:underline">
        {keyName || `Key ${keyId.slice(-6)}`}
      </Link>
      <span className="block text-small text-muted">
        <Moment at={at} />
      </span>
    </>
  );
}

/** When and where a context was captured. */
export function TabCard({ context }: { context: Outputs["explore"]["context"] }) {
  const { type, timestamp, viewedAt, extensionId, tabMetadata, lastRead } = context;
  const { lang, pinned, incognito, audible, referrer } = tabMetadata;
  const flags = [pinned && "pinned", incognito && "private window", audible && "playing sound"].filter(Boolean).join(", ");
  const facts: Array<[string, ReactNode]> = [
    ["Kind", kinds[type].label],
    ["Captured", <Moment key="captured" at={timestamp} />],
    ["Last viewed", viewedAt === undefined ? "Never" : <Moment key="viewed" at={viewedAt} />],
    ["Last read", lastRead === null ? "Never by a key" : <LastRead key="read" {...lastRead} />],
    ["Device", <DeviceName key="device" extensionId={extensionId} />],
  ];
  if (lang !== undefined) facts.push(["Language", lang]);
  if (flags !== "") facts.push(["Tab", flags]);
  if (referrer !== undefined && referrer !== "")
    facts.push([
      "Came from",
      <span key="referrer" className="wrap-anywhere">
        <RedactedText text={referrer} />
      </span>,
    ]);
  return (
    <Card title="Facts">
      <dl className="space-y-2 px-4 pb-4">
        {facts.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[88px_minmax(0,1fr)] gap-3">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
