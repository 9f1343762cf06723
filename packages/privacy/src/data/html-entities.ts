/**
 * Named character references that stand for ASCII or for signs that detectors look at. Source: WHATWG HTML 13.5.
 * Any other name stays as written: it stands for a letter or a sign that no detector needs.
 */
export const namedEntities: Readonly<Record<string, string>> = {
  amp: "&", AMP: "&", lt: "<", LT: "<", gt: ">", GT: ">", quot: '"', QUOT: '"', apos: "'", nbsp: "\u00a0", shy: "\u00ad", commat: "@", colon: ":", period: ".", sol: "/", num: "#", equals: "=", plus: "+", lowbar: "_", UnderBar: "_", hyphen: "-", dash: "-", ndash: "–", mdash: "—", lpar: "(", rpar: ")", quest: "?", percnt: "%", excl: "!", semi: ";", comma: ",", vert: "|", dollar: "$", lbrack: "[", rbrack: "]", lsqb: "[", rsqb: "]", lcub: "{", rcub: "}", Tab: "\t", NewLine: "\n", zwnj: "\u200c", zwj: "\u200d", ensp: "\u2002", emsp: "\u2003", thinsp: "\u2009", lrm: "\u200e", rlm: "\u200f", ZeroWidthSpace: "\u200b", hellip: "…", copy: "©", reg: "®", rsquo: "’", lsquo: "‘", rdquo: "”", ldquo: "“", laquo: "«", raquo: "»", bull: "•", middot: "·", deg: "°", euro: "€", pound: "£", yen: "¥", auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è", agrave: "à", ccedil: "ç", ntilde: "ñ", aacute: "á", iacute: "í", oacute: "ó", uacute: "ú",
};
