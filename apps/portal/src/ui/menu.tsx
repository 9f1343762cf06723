import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

const itemClasses =
  "flex h-8 items-center gap-2 rounded-small px-2 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover";

/** A menu below a button. */
export function Menu({ trigger, align = "start", children }: { trigger: ReactNode; align?: "start" | "end"; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[360px] min-w-44 overflow-y-auto rounded-medium bg-raised p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Something that a menu does. */
export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <DropdownMenu.Item className={itemClasses} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  );
}

/** A word over what follows it in a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1.5 text-small text-muted">{children}</DropdownMenu.Label>;
}

/** One of several values, of which one holds. */
export function MenuChoices<Value extends string>({
  value,
  onChange,
  choices,
}: {
  value: Value;
  onChange: (value: Value) => void;
  choices: ReadonlyArray<{ value: Value; label: ReactNode }>;
}) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={itemClasses}>
          <span className="flex grow items-center gap-2">{choice.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check className="size-3.5 text-accent-ink" aria-hidden />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
