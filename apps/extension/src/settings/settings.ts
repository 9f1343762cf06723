import * as z from "zod/mini";
import { type PrivacyLevel, siteOf } from "@periscope/privacy";
import { PrivacyLevel as Level } from "@periscope/schemas";

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

/** What holds for a site: it is blocked, or recorded at the usual level or at one of its own. */
export type SiteRule = "blocked" | "usual" | PrivacyLevel;

/** Everything the person set. The key is stored apart, so that it cannot leave with these. */
export const Settings = z.object({
  /** Of this shape. Settings of another one are not read. */
  version: z.literal(3),
  /** The consent that was given, and when, in milliseconds since the epoch. Null before, and after it was withdrawn. */
  consent: z.nullable(z.object({ version: z.int(), at: z.number() })),
  /** Base address with `/api/v1`; `""` while there is none. */
  server: z.string(),
  /** Server and user that the key belongs to. Messages of one account never go under the key of another. */
  account: z.string(),
  /** The person's own switch. */
  isRecording: z.boolean(),
  /** Nothing is recorded before this time, in milliseconds since the epoch. */
  pausedUntil: z.nullable(z.number()),
  /** Whether all sites are recorded but the blocked ones, or only sites with a rule that is not `blocked`. */
  siteMode: z.enum(["all-but", "only"]),
  sites: z.array(z.object({ site: Site, rule: z.union([z.enum(["blocked", "usual"]), Level]) })).check(z.maxLength(sitesMax)),
  /** How much is kept of a page whose site has no level of its own. */
  level: Level,
  captures: Captures,
  /** Whether all that is shown of a page is kept, and not only what it is about. */
  keepsWholePages: z.boolean(),
  /** Whether PDFs are loaded once more, to be read. */
  readsPdfs: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** The consent that is asked for now. Raise it when more is sent than the person agreed to: then everybody is asked again. */
export const consentVersion = 1;

/** Before anybody has said anything: nothing is recorded. */
export const initialSettings: Settings = {
  version: 3,
  consent: null,
  server: "",
  account: "",
  isRecording: true,
  pausedUntil: null,
  siteMode: "all-but",
  sites: [],
  level: "private",
  captures: { page: true, navigation: true, selection: true, element: true, media: true, form: false },
  keepsWholePages: false,
  readsPdfs: false,
};

const pauseMs = 3_600_000;

export const isPaused = ({ pausedUntil }: Settings, now: number): boolean => pausedUntil !== null && pausedUntil > now;

/** Pauses for an hour, or ends the pause. */
export const togglePause = (settings: Settings, now: number): Settings => ({
  ...settings,
  pausedUntil: isPaused(settings, now) ? null : now + pauseMs,
});

/** Settings as they were found on disk. If they cannot be read, nothing is recorded and consent is asked for again. */
export function readSettings(stored: unknown): Settings {
  if (stored === undefined) return initialSettings;
  const read = Settings.safeParse(stored);
  return read.success ? read.data : { ...initialSettings, isRecording: false };
}
