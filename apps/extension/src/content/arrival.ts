import type { ArrivalMarks } from "./recorder.js";

// Comes before anything of a page is there, and notes it. Firefox puts the scripts of an extension that was updated or switched on into pages that are
// open: there it comes too late, and what was seen before is not recorded once more.

(globalThis as ArrivalMarks).periscopeIsLate = document.readyState !== "loading";
