import type { ContentFormat } from "@periscope/schemas";

/** How a page is read. */
export interface PageOptions {
  /** All that is shown of the page, and not only the article where there is one. Default false. */
  whole?: boolean;
}

/** What an application knows of itself: flat, at most 16 KiB as JSON. */
export type CustomData = Readonly<Record<string, string | number | boolean>>;

/** Text that belongs to a custom capture. */
export interface CustomOptions {
  content?: string;
  contentFormat?: ContentFormat;
}

/** What is to be captured. */
export type CaptureRequest =
  | ({ type: "page" } & PageOptions)
  | { type: "selection" }
  | { type: "element"; element: Element }
  | { type: "form"; form: Element }
  | { type: "media"; element: Element }
  | { type: "navigation" }
  | ({ type: "custom"; kind: string; data?: CustomData } & CustomOptions);
