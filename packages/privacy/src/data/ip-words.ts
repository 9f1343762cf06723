/** Whole words beside a number that say it is an address: `iPad` is none. */
export const wholeAddressWords: readonly string[] = ["ip", "ips", "dns", "ping", "ssh"];
/** Words that say the same, and so does every longer word that starts with one: `hostname`. */
export const addressWordPrefixes: readonly string[] = [
  "addr", "address", "adress", "adresse", "direcci", "indirizzo", "gateway", "host", "ipaddr", "ipsec", "ipv4", "nameserver", "pinging", "server",
];
/** CIDR notation (RFC 4632): `10.1.2.0/24`. */
export const prefixLength = /\/[0-9]{1,3}(?![0-9A-Za-z/]|\.[0-9])/y;
/** The port of an address: `:8080`. */
export const port = /:[0-9]{2,5}\b/y;
/** `v1.2.3.4`, `version to 1.2.3.4`, `>= 1.2.3.4`, `1:1.2.3.4` (the epoch of a package's version), and products with their version as in user agents (`Chrome/120.0.0.0`). */
export const versionBefore =
  /(?:(?<![a-z])(?:v|ver\.?|rel\.?|version|release|build|firmware|revision|policy|sections?|sec\.?|clauses?|articles?|art\.?|chapters?|ch\.?|paragraphs?|para\.?|appendix|annex|tables?|figures?|fig\.?|items?|rules?|steps?|parts?|requirements?|req\.?|numbers?|no\.?|standards?|oid|abschnitt|kapitel|ziffer|absatz|nr\.?|abs\.?|chapitre|alinéa|sección|capítulo|cláusula|sezione|capitolo|punto|пункт|раздел)(?: to)?[\s:=-]{0,3}|[<>]= ?|(?<=[\s(])[0-9]:|§ ?|[a-z]\/)$/i;
/** `1.2.13.1-rc` and `11.3.244.8-node.9` are versions; `203.0.113.45-backup.2026` is an address, and `203.0.113.7-rc.example.net` a host. */
export const versionSuffix = /-(?:rc|alpha|beta|pre|[rbp](?=[0-9])|node\.[0-9])(?![a-z]|[a-z0-9.-]{0,63}\.[a-z])/iy;
/** A heading of versions: nothing else stands in its cell or line. */
export const versionHeading =
  /(?<=(?:^|[\n\t|,;])[ "'*_]{0,4})(?:version|release|firmware|build)(?=[ "'*_:]{0,4}(?:[\r\n\t|,;]|$))/gi;
