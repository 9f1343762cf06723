/**
 * What to import instead. `@periscope/sync` has an entry for each place that its parts run in:
 *
 * - `@periscope/sync/background`: `createContextSync` in the background, `connectContextSync` in popup and options
 * - `@periscope/sync/content`: `createCapture` in content scripts
 * - `@periscope/sync/core`: `privacyFilter`; the queue by itself
 *
 * The functions here only say so, to the compiler and when they are called.
 * @module
 */
const moved =
  <E extends string>(name: string, entry: E) =>
  (_instead: `Import it from @periscope/sync/${E}`): never => {
    throw new TypeError(`Import ${name} from "@periscope/sync/${entry}".`);
  };

/** Import it from `@periscope/sync/background`. */
export const createContextSync = moved("createContextSync", "background");
/** Import it from `@periscope/sync/background`. */
export const connectContextSync = moved("connectContextSync", "background");
/** Import it from `@periscope/sync/content`. */
export const createCapture = moved("createCapture", "content");
/** Import it from `@periscope/sync/core`. */
export const privacyFilter = moved("privacyFilter", "core");
/** Import it from `@periscope/sync/core`. */
export const createQueue = moved("createQueue", "core");
