import { Tabs } from "radix-ui";
import { CopyButton } from "../ui/copy-button.js";
import type { Configuration } from "./configurations.js";

/** One configuration at a time, to be copied. */
export function ConfigurationTabs({ configurations }: { configurations: readonly Configuration[] }) {
  return (
    <Tabs.Root defaultValue="0">
      <Tabs.List aria-label="Program" className="flex flex-wrap gap-1">
        {configurations.map(({ program }, index) => (
          <Tabs.Trigger
            key={program}
            value={String(index)}
            className="h-7 rounded-small px-2.5 text-small font-medium text-muted hover:text-ink data-[state=active]:bg-hover data-[state=active]:text-ink"
          >
            {program}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {configurations.map(({ program, where, text }, index) => (
        <Tabs.Content key={program} value={String(index)} className="mt-2 overflow-hidden rounded-medium border border-line bg-back">
          <div className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-3">
            <p className="min-w-0 text-small wrap-anywhere text-muted">{where}</p>
            <CopyButton text={text} />
          </div>
          <pre tabIndex={0} className="max-h-56 overflow-auto p-3 font-mono text-small leading-relaxed wrap-anywhere whitespace-pre-wrap">
            {text}
          </pre>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
