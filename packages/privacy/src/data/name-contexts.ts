/** The name is the value of `name:` or `"key":`, in YAML and JSON. */
export const namedBefore = /(?<=(?:(?:name|key|variable)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?|variable[ \t]{1,4}["']))/iy;
/** A file of `.netrc`, which sets a password by a word and a blank: `login x password y`. */
export const loginBefore = /(?<=(?<![A-Za-z])login[ \t\n]{1,8}[^\s]{1,80}[ \t\r\n]{1,8})/y;
/** `Public key pin-sha256: …`. */
export const publicBefore = /(?<=public[ ])/iy;
/** `("NAME", "value")` is a call; `["name", "other"]` a list. */
export const callBefore = /(?<=\([ \t]{0,4}["'`])/y;
/** `name="password">`, `key='token'>`, `id="…">`: the attribute that names an element. */
export const attributeBefore = /(?<=(?:name|key|id)=["'])/iy;
