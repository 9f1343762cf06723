export type { CaptureHost, CaptureOptions } from "./options.js";
export { createCapture, type PageCapture } from "./capture.js";
export type { ContentApis } from "./extension-link.js";
export type { Captured, Empty, Preview, ReadBy, Unavailable, UnavailableReason } from "./outcomes.js";
export type { CaptureRequest, CustomData, CustomOptions, PageOptions } from "./requests.js";
export type { RecordMode, RecordOptions, Recording } from "./record.js";
