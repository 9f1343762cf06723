/**
 * Query keys that only track: the names of the global rules of ClearURLs (github.com/ClearURLs/Rules, `data.min.json`, provider
 * `globalRules`, `rules`, as of commit cfda1a0 of 27 July 2025), all of them, in lower case: they count without case. Left out are
 * its `referralMarketing` keys (`ref`, `referrer`), which name more than campaigns, and its exceptions for single sites.
 */
export const trackingKeys: ReadonlySet<string> = new Set([
  "yclid", "_openstat", "fb_action_types", "fb_action_ids", "fb_source", "fb_ref", "fbclid", "action_object_map", "action_type_map", "action_ref_map",
  "gs_l", "mkt_tok", "hmb_campaign", "hmb_medium", "hmb_source", "gclid", "srsltid", "cmpid", "os_ehash", "_ga", "_gl", "__twitter_impression",
  "wtmc", "wt_mc", "wtzmc", "wt_zmc", "wtrid", "dclid", "echobox", "spm", "tracking_source", "ceneo_spo", "itm_campaign", "itm_medium", "itm_source",
  "__hsfp", "__hssc", "__hstc", "_hsenc", "__s", "hsctatracking", "mc_eid", "mc_cid", "mc_tc", "ml_subscriber", "ml_subscriber_hash", "msclkid",
  "oly_anon_id", "oly_enc_id", "rb_clickid", "s_cid", "vero_conv", "vero_id", "wickedid", "twclid",
]);

/** Families of the same list: `utm`, `utm_source`, `mtm_campaign`, `ga_term`, `otm_x`, `vn_x`, and `mc` alone or after one letter. */
export const trackingFamilies = /^(?:utm|mtm|utm_[a-z_]{0,64}|mtm_[a-z_]{0,64}|ga_[a-z_]{1,64}|otm_[a-z_]{0,64}|vn_[a-z_]{0,64}|[a-z]?mc)$/;
