import type { Outputs } from "../api.js";
import { formatBytes } from "../ui/bytes.js";
import { Card } from "../ui/card.js";
import { DayBars } from "../ui/day-bars.js";

const number = new Intl.NumberFormat();

/** Contexts by the day of their capture, and the bytes of their texts. */
export function StoredCards({ stored, today, days }: { stored: Outputs["usage"]["stored"]; today: number; days: number }) {
  const firstDay = today - days + 1;
  const valuesOf = (name: "contexts" | "bytes") => {
    const values = Array.from({ length: days }, () => 0);
    for (const each of stored) if (each.day - firstDay < days) values[each.day - firstDay] = each[name];
    return values;
  };
  return (
    <>
      <Card title="Contexts captured" className="pb-4">
        <DayBars
          label="Contexts by day"
          firstDay={firstDay}
          layers={[{ name: "Contexts", color: "bg-plot-1", values: valuesOf("contexts") }]}
          format={(value) => number.format(value)}
        />
      </Card>
      <Card title="Text captured" className="pb-4">
        <DayBars
          label="Text by day"
          firstDay={firstDay}
          layers={[{ name: "Text", color: "bg-plot-2", values: valuesOf("bytes") }]}
          format={formatBytes}
        />
      </Card>
    </>
  );
}
