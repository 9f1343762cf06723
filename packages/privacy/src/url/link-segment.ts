/** Path segments after which a segment that is shaped like a token signs someone in or confirms something. */
export const linkSegment =
  /^(?:reset|password-?reset|reset-?password|magic-?link|magic|verify|verify-?email|email-?verif(?:y|ication)|verification|confirm|confirm-?email|confirmation|set-?password|accept-?invite|activate|activation|invite|invitation|unsubscribe|tokens?|auth|login|signin|recover|recovery|one-?time|share)$/i;
