import { attributeOf, isHtml, localNameOf, select } from "./dom-access.js";
import { plainAttribute } from "./dom-rules.js";
import { webAddress } from "./web-address.js";

/** What there is to say of a picture, a video or a sound. */
export interface MediaRead {
  /** Its description, a line each: alternative text, label, title, caption. */
  content: string;
  metadata: Record<string, string | number | boolean>;
}

/** Describes a medium; of its source only an address of the web is kept. The caption is read by the caller, as other text. */
export function readMedia(element: Element, caption: string): MediaRead {
  const name = localNameOf(element);
  const shown = name === "picture" ? (select(element, "img")[0] ?? element) : element;
  const kind = isHtml(shown) ? localNameOf(shown) : name;
  const isPlayed = kind === "video" || kind === "audio";
  const lines = [...["alt", "aria-label", "title"].map((attribute) => plainAttribute(shown, attribute)), caption.trim()];
  return {
    content: [...new Set(lines.filter((line) => line !== ""))].join("\n"),
    metadata: {
      mediaKind: kind === "img" ? "image" : kind,
      ...sourceOf(shown, kind),
      ...(isPlayed && playOf(shown as HTMLMediaElement)),
    },
  };
}

function sourceOf(element: Element, kind: string): Record<string, string> {
  if (kind !== "img" && kind !== "video" && kind !== "audio") return {};
  const source = (element as HTMLImageElement | HTMLMediaElement).currentSrc || (attributeOf(element, "src") ?? "");
  const mediaUrl = webAddress(source, element.baseURI);
  return mediaUrl === "" ? {} : { mediaUrl };
}

function playOf({ duration, currentTime, paused }: HTMLMediaElement): Record<string, number | boolean> {
  const seconds = (value: number) => Math.round(value * 10) / 10;
  return {
    // A stream has no end.
    ...(Number.isFinite(duration) && { durationSeconds: seconds(duration) }),
    positionSeconds: seconds(currentTime),
    isPaused: paused,
  };
}
