/** Words beside a number that say it is an address. Each must start a word. */
export const addressWords: readonly string[] = ["ip", "addr", "host", "dns", "gateway", "ping "];
/** `v1.2.3.4`, `version to 1.2.3.4`, `>= 1.2.3.4`, `1:1.2.3.4` (the epoch of a package's version), and products with their version as in user agents (`Chrome/120.0.0.0`). */
export const versionBefore =
  /(?:(?<![a-z])(?:v|ver\.?|rel\.?|version|release|build|firmware|revision|policy|sections?|sec\.?|clauses?|articles?|art\.?|chapters?|ch\.?|paragraphs?|para\.?|appendix|annex|tables?|figures?|fig\.?|items?|rules?|steps?|parts?|requirements?|req\.?|numbers?|no\.?|standards?|oid|abschnitt|kapitel|ziffer|absatz|nr\.?|abs\.?|chapitre|alinéa|sección|capítulo|cláusula|sezione|capitolo|punto|пункт|раздел)(?: to)?[\s:=-]{0,3}|[<>]= ?|(?<=[\s(])[0-9]:|§ ?|[a-z]\/)$/i;
/** `1.2.13.1-rc` is a version, `203.0.113.7-static.example.net` a host. */
export const versionSuffix = /-(?:rc|alpha|beta|pre|motley|node|[rbp](?=[0-9]))(?![a-z])/iy;
/** Nothing else stands in the cell or line of a heading of versions. */
export const versionHeading =
  /(?<=(?:^|[\n\t|,;])[ "'*_]{0,4})(?:version|release|firmware|build)(?=[ "'*_:]{0,4}(?:[\r\n\t|,;]|$))/gi;
