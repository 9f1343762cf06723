import * as z from "zod/mini";
import { siteOf } from "@periscope/privacy";
import { PrivacyLevel } from "@periscope/schemas";

const sitesMax = 1_000;
const Site = z.string().check(z.refine((text) => siteOf(text) === text, "must be a site, such as example.com or example.com/private"));

/** What may be captured. Each is off until it is switched on here; forms are off unless the person says otherwise. */
export const Captures = z.object({
  page: z.boolean(),
  navigation: z.boolean(),
  selection: z.boolean(),
  element: z.boolean(),
  media: z.boolean(),
  form: z.boolean(),
});
export type Captures = z.infer<typeof Captures>;

/** Everything the person set, but for the key, which is kept apart so that it cannot get anywhere with these. */
export const Settings = z.object({
  /** Of this shape; older ones are brought to it by `migrate`. */
  version: z.literal(2),
  /** The consent that was given, and in milliseconds since the epoch when; null before, and after it was withdrawn. */
  consent: z.nullable(z.object({ version: z.int(), at: z.number() })),
  /** Base address with `/api/v1`; `""` while there is none. */
  server: z.string(),
  /** The last server that answered with success; `""` while none has. */
  answeredServer: z.string(),
  /** Names whose messages wait, so that those of one person never go under the key of another. Made by this installation. */
  account: z.string(),
  /** The person's own switch. */
  isRecording: z.boolean(),
  /** Nothing is recorded before this time, in milliseconds since the epoch. */
  pausedUntil: z.nullable(z.number()),
  /** Which list holds: all sites but for `blockedSites` are recorded, or only `onlySites`. The other list stays as it is, for the way back. */
  siteMode: z.enum(["all-but", "only"]),
  blockedSites: z.array(Site).check(z.maxLength(sitesMax)),
  onlySites: z.array(Site).check(z.maxLength(sitesMax)),
  /** How much is kept of a page, unless its site has a level of its own. */
  level: PrivacyLevel,
  siteLevels: z.array(z.object({ site: Site, level: PrivacyLevel })).check(z.maxLength(sitesMax)),
  captures: Captures,
});
export type Settings = z.infer<typeof Settings>;

/** The list that a mode goes by: one that meant the one thing never comes to mean the other. */
export const siteLists = { "all-but": "blockedSites", only: "onlySites" } as const satisfies Record<Settings["siteMode"], keyof Settings>;

/** The consent that is asked for now. It is raised when more is sent than the person agreed to, and then everybody is asked again. */
export const consentVersion = 1;

/** Before anybody has said anything: nothing is recorded. */
export const initialSettings: Settings = {
  version: 2,
  consent: null,
  server: "",
  answeredServer: "",
  account: "",
  isRecording: true,
  pausedUntil: null,
  siteMode: "all-but",
  blockedSites: [],
  onlySites: [],
  level: "private",
  siteLevels: [],
  captures: { page: true, navigation: true, selection: true, element: true, media: true, form: false },
};
