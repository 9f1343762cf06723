/** Reasons of the privacy filter in plain words, a sentence each. */
const words: Readonly<Record<string, string>> = {
  "blocked-site": "The site is blocked.",
  "browser-page": "It is a page of the browser itself.",
  "private-window": "It is in a private window.",
  "user:site-rule": "Your own rule for this site asks for this level.",
  "user:lowered": "Your own rule for this site lowers the level of its kind.",
  "operator:minimum": "The operator allows no lower level.",
  "page:filled-secret": "A password or card field of the page was filled in.",
  "filter:malformed": "Parts of it could not be read.",
  "filter:failed": "The filter failed on it, so that nothing else was kept.",
  too_complex: "It took too long to filter, so that nothing else was kept.",
  "stored:level": "It had this level before, and a level is never lowered.",
};

/** Why the privacy filter chose a level, or did not capture a page. */
export function describeReason(reason: string): string {
  const known = words[reason];
  if (known !== undefined) return known;
  const [kind, name = ""] = reason.split(/:(.*)/s);
  const plain = name.replaceAll(/[_-]+/g, " ");
  if (kind === "category") return plain === "file" ? "It is a file of this computer." : `The site is listed under “${plain}”.`;
  return `${reason.replaceAll(/[:_-]+/g, " ")}.`;
}
