export { createCapture, type PageCapture } from "./capture.js";
export type { ContentApis } from "./extension-link.js";
export type { CaptureHost, CaptureOptions } from "./options.js";
export type {
  Captured,
  CaptureRequest,
  CustomData,
  CustomOptions,
  Empty,
  PageOptions,
  Preview,
  PreviewContext,
  Unavailable,
} from "./outcomes.js";
export type { RecordMode, RecordOptions, Recording } from "./record.js";
