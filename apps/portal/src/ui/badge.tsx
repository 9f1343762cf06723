import type { ReactNode } from "react";
import { classNames } from "./class-names.js";

const tones = {
  neutral: "bg-sunken text-muted",
  accent: "bg-accent-tint text-accent-ink",
  good: "bg-good-tint text-good",
  warn: "bg-warn-tint text-warn",
  bad: "bg-bad-tint text-bad",
};

export type Tone = keyof typeof tones;

/** A short fact beside a title. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames("inline-flex h-5 items-center gap-1 rounded-full px-2 text-tiny font-medium whitespace-nowrap", tones[tone])}
    >
      {children}
    </span>
  );
}
