/** What a build of an extension is made for. */
export interface Config {
  baseUrl: string;
  key: string;
}

declare global {
  /** Put in by the build. */
  var config: Config;
}
