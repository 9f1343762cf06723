/** What a build of the extension is made for. */
export interface Config {
  baseUrl: string;
  key: string;
  blockedSites: string[];
  /** Makes the alarm anew at each start, as a mistake that was made elsewhere. */
  remakesAlarm: boolean;
}

declare global {
  /** Put in by the build. */
  var config: Config;
}
