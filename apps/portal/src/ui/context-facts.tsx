import type { ContextType, PrivacyLevel } from "@periscope/schemas";
import { AppWindow, Compass, FileText, Image, type LucideIcon, SquareDashedMousePointer, TextCursorInput, TextSelect } from "lucide-react";
import { Badge, type Tone } from "./badge.js";
import { classNames } from "./class-names.js";

/** How each kind of context is called and drawn. */
export const kinds: Readonly<Record<ContextType, { label: string; icon: LucideIcon }>> = {
  page: { label: "Page", icon: FileText },
  selection: { label: "Selection", icon: TextSelect },
  element: { label: "Part of a page", icon: SquareDashedMousePointer },
  form: { label: "Form", icon: TextCursorInput },
  media: { label: "Picture or video", icon: Image },
  navigation: { label: "Visit", icon: Compass },
  custom: { label: "Other", icon: AppWindow },
};

/** How each level is called, and what it means. */
export const levels: Readonly<Record<PrivacyLevel, { label: string; meaning: string; tone: Tone }>> = {
  public: { label: "Public", meaning: "This level removes passwords, card numbers and keys.", tone: "neutral" },
  private: { label: "Private", meaning: "This level also removes account and identity numbers.", tone: "neutral" },
  filtered: { label: "Filtered", meaning: "This level also removes emails, phone numbers, addresses and form values.", tone: "warn" },
  restricted: { label: "Restricted", meaning: "Only that you were on the site, and when, is stored.", tone: "bad" },
};

/** A context's level. */
export function LevelBadge({ level }: { level: PrivacyLevel }) {
  const { label, tone } = levels[level];
  return <Badge tone={tone}>{label}</Badge>;
}

const siteColors = [
  "[--site:var(--plot-1)]",
  "[--site:var(--plot-2)]",
  "[--site:var(--plot-3)]",
  "[--site:var(--plot-4)]",
  "[--site:var(--plot-5)]",
];

/** A tile before a context: the first letter of a page's site in a colour of the site, or the sign of another kind. */
export function ContextTile({ kind, url, className }: { kind: ContextType; url: string; className?: string }) {
  const { icon: Icon, label } = kinds[kind];
  const site = kind === "page" ? toSite(url) : "";
  const letter = /[\p{L}\p{N}]/u.exec(site)?.[0];
  const sum = Array.from(site, (sign) => sign.codePointAt(0) ?? 0).reduce((all, code) => (all * 31 + code) % 65_521, 0);
  return (
    <span
      title={label}
      className={classNames(
        "grid size-8 shrink-0 place-items-center rounded-medium",
        letter === undefined
          ? "border border-line bg-back text-muted"
          : `bg-[color-mix(in_srgb,var(--site)_12%,var(--surface))] font-bold text-[color-mix(in_srgb,var(--site)_70%,var(--text))] uppercase ${siteColors[sum % siteColors.length]}`,
        className,
      )}
    >
      {letter === undefined ? <Icon className="size-4" strokeWidth={1.75} aria-hidden /> : <span aria-hidden>{letter}</span>}
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** The host of an address without `www.`, or the address where it has none. */
export function toSite(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") || url : url;
}
