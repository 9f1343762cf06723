import { TriangleAlert } from "lucide-react";
import type { Outputs } from "../api.js";
import { Card } from "../ui/card.js";
import { DeviceName } from "../ui/device-name.js";
import { RedactedText } from "../ui/redacted-text.js";
import { Ago } from "../ui/time.js";

type Trouble = Outputs["now"]["overview"]["troubles"][number];

/** What extensions reported in the last 24 hours. A report proves that its device reached the server afterwards. */
export function TroubleCard({ troubles }: { troubles: readonly Trouble[] }) {
  return (
    <Card title="Trouble in the last 24 hours">
      <p className="px-4 pb-3 text-small text-muted">Reported by your devices. Each has reached this server since.</p>
      <ul className="space-y-3 px-4 pb-4">
        {troubles.map(({ extensionId, code, message, occurredAt, times }) => (
          <li key={`${extensionId} ${code}`} className="flex gap-2.5 text-small">
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0 text-warn" aria-hidden />
            <div className="min-w-0">
              <p className="wrap-anywhere">
                <RedactedText text={message} />
              </p>
              <p className="mt-0.5 text-muted">
                <DeviceName extensionId={extensionId} /> · {times > 1 && `${times} times, last `}
                <Ago at={occurredAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
