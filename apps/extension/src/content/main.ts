import { createCapture } from "@periscope/sync/content";
import { extensionApi } from "../extension-api.js";
import { startRecorder } from "./recorder.js";

// The recorder in a page. The browser puts it there after consent alone, and not into sites that are blocked. It may come a second time, into a page
// that has one: then the first one stays.

const marks = globalThis as { periscopeRecorder?: true };
if (marks.periscopeRecorder === undefined) {
  marks.periscopeRecorder = true;
  // Filtered by the worker, before anything is kept: with a filter of its own each page would hold 60 KB more.
  startRecorder({ api: extensionApi(), capture: createCapture({ privacy: "background" }), document });
}
