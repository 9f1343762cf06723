import { createCapture } from "@periscope/sync/content";
import { extensionApi } from "../extension-api.js";
import { startRecorder } from "./recorder.js";

// The recorder in a page. The browser puts it there after consent alone, and not into sites that are blocked. It may come a second time, into a page
// that has one: then the first one stays.

const marks = globalThis as { periscopeRecorder?: true };
if (marks.periscopeRecorder === undefined) {
  marks.periscopeRecorder = true;
  startRecorder({ api: extensionApi(), capture: createCapture(), document });
}
