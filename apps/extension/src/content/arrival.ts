import type { ArrivalMarks } from "./recorder.js";

// Comes before anything of a page is there, and notes it. Firefox puts the scripts of an extension that was updated or switched on into pages that are
// open: there it comes too late, and what was seen before is not recorded once more. In doubt, as while a page is being loaded, it came in time: a page that is
// recorded twice is better than one that is lost.

(globalThis as ArrivalMarks).periscopeIsLate = document.readyState === "complete";
