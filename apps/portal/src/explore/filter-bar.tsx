import { useQuery } from "@tanstack/react-query";
import { ChevronDown, X } from "lucide-react";
import { memo, type ReactNode, useId } from "react";
import { useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { kinds, levels } from "../ui/context-facts.js";
import { deviceName } from "../ui/device-name.js";
import { inputClasses } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Menu, MenuChoices } from "../ui/menu.js";
import { Popover } from "../ui/popover.js";
import { formatDay, startOfDay } from "../ui/time.js";
import type { Filter } from "./filter.js";

const any = "any";

interface FilterBarProps {
  filter: Filter;
  onChange: (change: { [Name in keyof Filter]: Filter[Name] | undefined }) => unknown;
}

/** The conditions beside the words: kind, level, site, device, time. */
export const FilterBar = memo(function FilterBar({ filter, onChange }: FilterBarProps) {
  const trpc = useTRPC();
  const devices = useQuery(trpc.devices.list.queryOptions());
  const { type, privacyLevel, site, extensionId, since, until } = filter;
  const hasAny = [type, privacyLevel, site, extensionId, since, until].some((value) => value !== undefined);
  return (
    <div className="-mx-4 flex items-center gap-1.5 overflow-x-auto px-4 py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0">
      <Choice
        name="Kind"
        value={type}
        choices={Object.entries(kinds).map(([value, { label, icon: Icon }]) => ({
          value,
          name: label,
          label: (
            <>
              <Icon className="size-4 text-muted" strokeWidth={1.75} aria-hidden />
              {label}
            </>
          ),
        }))}
        onChange={(value) => onChange({ type: value as Filter["type"] })}
      />
      <Choice
        name="Level"
        value={privacyLevel}
        choices={Object.entries(levels).map(([value, { label }]) => ({ value, name: label, label }))}
        onChange={(value) => onChange({ privacyLevel: value as Filter["privacyLevel"] })}
      />
      <SiteChoice key={site} site={site} onChange={(value) => onChange({ site: value })} />
      <Choice
        name="Device"
        value={extensionId}
        choices={(devices.data ?? []).map((device) => {
          const name = deviceName(device.extensionId, device.key);
          return { value: device.extensionId, name, label: name };
        })}
        onChange={(value) => onChange({ extensionId: value })}
      />
      <TimeChoice since={since} until={until} onChange={onChange} />
      {hasAny && (
        <Button
          look="quiet"
          size="small"
          onClick={() =>
            onChange({
              type: undefined,
              privacyLevel: undefined,
              site: undefined,
              extensionId: undefined,
              since: undefined,
              until: undefined,
            })
          }
        >
          Clear filters
        </Button>
      )}
    </div>
  );
});

/** A filter's button: its name, or its name and value. */
function chip(name: string, value: string | undefined): ReactNode {
  const isSet = value !== undefined;
  return (
    <Button size="small" className={isSet ? "max-w-60 border-accent/40! bg-accent-tint! text-accent-ink!" : "text-muted!"}>
      <span className="truncate">{isSet ? `${name}: ${value}` : name}</span>
      <ChevronDown className="size-3.5 opacity-70" aria-hidden />
    </Button>
  );
}

function Choice({
  name,
  value,
  choices,
  onChange,
}: {
  name: string;
  value: string | undefined;
  choices: ReadonlyArray<{ value: string; name: string; label: ReactNode }>;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Menu trigger={chip(name, choices.find((choice) => choice.value === value)?.name ?? value)}>
      <MenuChoices
        value={value ?? any}
        onChange={(chosen) => onChange(chosen === any ? undefined : chosen)}
        choices={[{ value: any, label: "Any" }, ...choices]}
      />
    </Menu>
  );
}

function SiteChoice({ site, onChange }: { site: string | undefined; onChange: (site: string | undefined) => void }) {
  const id = useId();
  return (
    <Popover trigger={chip("Site", site)}>
      {(close) => (
        <Form
          onSubmit={(textOf) => {
            onChange(textOf("site").trim() || undefined);
            close();
          }}
        >
          <label htmlFor={id} className="mb-1.5 block font-medium">
            Site
          </label>
          <input id={id} name="site" defaultValue={site} placeholder="example.com" autoComplete="off" className={inputClasses} />
          <p className="mt-1.5 text-small text-muted">Also finds everything below it, such as docs.example.com.</p>
          <div className="mt-3 flex justify-end gap-2">
            <Button type="submit" look="primary" size="small">
              Apply
            </Button>
          </div>
        </Form>
      )}
    </Popover>
  );
}

const dateOf = (at: string | undefined): string => {
  if (at === undefined) return "";
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
};
const dayAfter = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
const spans = [
  { label: "Today", days: 0 },
  { label: "Last 7 days", days: 6 },
  { label: "Last 30 days", days: 29 },
];

function TimeChoice({
  since,
  until,
  onChange,
}: { since: string | undefined; until: string | undefined } & Pick<FilterBarProps, "onChange">) {
  const id = useId();
  const last = until === undefined ? undefined : new Date(Date.parse(until) - 1);
  const first = since === undefined ? undefined : new Date(since);
  const text =
    first === undefined && last === undefined
      ? undefined
      : first !== undefined && last !== undefined && startOfDay(first).getTime() === startOfDay(last).getTime()
        ? formatDay(first)
        : `${first === undefined ? "" : `from ${formatDay(first)}`}${last === undefined ? "" : ` to ${formatDay(last)}`}`.trim();
  return (
    <>
      <Popover trigger={chip("Time", text)}>
        {(close) => (
          <Form
            key={`${since} ${until}`}
            className="w-56"
            onSubmit={(textOf) => {
              const [from, to] = [textOf("from"), textOf("to")];
              onChange({
                since: from === "" ? undefined : new Date(`${from}T00:00`).toISOString(),
                until: to === "" ? undefined : dayAfter(new Date(`${to}T00:00`)).toISOString(),
              });
              close();
            }}
          >
            <div className="mb-3 flex flex-col">
              {spans.map(({ label, days }) => (
                <Button
                  key={label}
                  look="quiet"
                  size="small"
                  className="justify-start"
                  onClick={() => {
                    const now = new Date();
                    onChange({
                      since: new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString(),
                      until: undefined,
                    });
                    close();
                  }}
                >
                  {label}
                </Button>
              ))}
            </div>
            {(["from", "to"] as const).map((name) => (
              <div key={name} className="mt-2 flex items-center gap-2">
                <label htmlFor={`${id}-${name}`} className="w-10 text-small text-muted capitalize">
                  {name}
                </label>
                <input
                  id={`${id}-${name}`}
                  name={name}
                  type="date"
                  defaultValue={dateOf(name === "from" ? since : last?.toISOString())}
                  className={inputClasses}
                />
              </div>
            ))}
            <div className="mt-3 flex justify-end">
              <Button type="submit" look="primary" size="small">
                Apply
              </Button>
            </div>
          </Form>
        )}
      </Popover>
      {text !== undefined && (
        <Button look="quiet" size="small" aria-label="Any time" onClick={() => onChange({ since: undefined, until: undefined })}>
          <X className="size-3.5" aria-hidden />
        </Button>
      )}
    </>
  );
}
