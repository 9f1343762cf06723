/** Elements that are dropped with everything in them: code, styles, drawings, embedded documents, templates. */
export const droppedElements: ReadonlySet<string> = new Set([
  "script", "style", "svg", "math", "iframe", "object", "embed", "applet", "noembed", "noframes", "template", "canvas", "xmp", "noscript",
]);

/** Elements whose text is that of a control, not of the page. */
export const unreadElements: ReadonlySet<string> = new Set([
  "textarea", "select", "datalist", "option", "plaintext",
]);

/** Elements without an end tag (WHATWG HTML, 13.1.2). */
export const voidElements: ReadonlySet<string> = new Set([
  "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
]);

/** Elements inside a line of text; see {@link edgeOf} for the others. */
export const inlineElements: ReadonlySet<string> = new Set([
  "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "nobr", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
]);

/** Attributes with a URL (WHATWG HTML, index of attributes). */
export const urlAttributes: ReadonlySet<string> = new Set([
  "href", "src", "action", "formaction", "poster", "cite", "background", "data", "longdesc", "manifest", "icon", "xlink:href", "itemid", "usemap", "profile", "classid", "codebase",
]);

/** Attributes that say nothing about a person and are not looked at: layout, roles, states. */
export const plainAttributes: ReadonlySet<string> = new Set([
  "class", "id", "role", "type", "rel", "lang", "dir", "width", "height", "target", "tabindex", "colspan", "rowspan", "for", "name", "align", "valign", "border", "scope", "hidden", "disabled", "checked", "selected", "readonly", "required", "multiple", "method", "enctype", "charset", "media", "sizes", "loading", "decoding", "itemprop", "itemscope", "itemtype", "property", "autocomplete", "aria-hidden", "aria-expanded", "aria-controls", "aria-labelledby", "aria-describedby", "cellpadding", "cellspacing", "http-equiv", "viewport", "min", "max", "step", "maxlength", "minlength", "size", "rows", "cols", "wrap", "start", "span", "crossorigin", "referrerpolicy", "fetchpriority", "integrity", "datetime",
]);

/** Names of microdata (schema.org `Person`) for what belongs to a person. */
export const personProperties: ReadonlySet<string> = new Set([
  "name", "givenname", "familyname", "additionalname", "telephone", "email", "address", "streetaddress", "postalcode", "birthdate", "taxid",
]);

/** Classes of microformats for it (hCard, h-card, h-adr). */
export const personClasses: ReadonlySet<string> = new Set([
  "fn", "n", "adr", "p-name", "p-adr", "h-adr", "p-street-address", "street-address", "p-given-name", "p-family-name", "given-name", "family-name", "p-tel", "u-email",
]);

/** Attributes that are dropped, besides event handlers. */
export const droppedAttributes: ReadonlySet<string> = new Set(["style", "srcdoc", "nonce", "ping", "srcset", "imagesrcset", "attributionsrc"]);
