/** Keys that are never stored, whatever the level: they hold dumps of what a browser keeps secret. */
export const droppedKeys =
  /^(?:cookies?|set-?cookies?|(?:request|response)?-?_?headers?|passwords?|local-?_?storage|session-?_?storage|storage(?:dump)?|indexed-?_?db)$/i;
/** Addresses that say where someone came from, or whose query may say who they are: reduced from `filtered` on, as those of a tab are. */
export const referrerKey = /^(?:document|http)?[-_]?referr?er(?:[-_]?ur[li])?$/i;
export const iconKey = /^fav-?_?icon(?:[-_]?ur[li])?$/i;
