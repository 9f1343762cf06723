/**
 * Query keys that only track, exact names of the global rules of ClearURLs (github.com/ClearURLs/Rules,
 * `data.min.json`, provider `globalRules`); its patterns are written out for the names in use.
 */
export const trackingKeys: ReadonlySet<string> = new Set([
  "ga_source", "ga_medium", "ga_term", "ga_content", "ga_campaign", "ga_place", "yclid", "_openstat", "fb_action_ids", "fb_action_types", "fb_source",
  "fb_ref", "fbclid", "action_object_map", "action_type_map", "action_ref_map", "gs_l", "mkt_tok", "hmb_campaign", "hmb_medium", "hmb_source",
  "gclid", "srsltid", "cmpid", "os_ehash", "_ga", "_gl", "__twitter_impression", "wt_mc", "wt_zmc", "wtmc", "wtrid", "dclid", "echobox", "spm",
  "tracking_source", "ceneo_spo",
]);

/** Families of the same list: every key that starts so. */
export const trackingPrefixes: readonly string[] = ["utm_", "otm_", "vn_"];
