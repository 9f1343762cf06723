import { ToggleGroup } from "radix-ui";

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: ReadonlyArray<{ value: Value; label: string }>;
}

/** One of a few values, all in sight. */
export function Segments<Value extends string>({ label, value, onChange, choices }: SegmentsProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // An empty value: the chosen one was pressed again.
      onValueChange={(chosen) => chosen !== "" && onChange(chosen as Value)}
      className="inline-flex h-8 gap-0.5 rounded-small border border-line bg-sunken p-0.5"
    >
      {choices.map((choice) => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          className="rounded-[4px] px-2.5 text-small font-medium text-muted hover:text-ink data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:shadow-card"
        >
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
