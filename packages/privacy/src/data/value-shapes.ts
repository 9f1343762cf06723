/** Values that are no secrets: words of code and configuration, algorithms. */
export const literal =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|void|string|str|text|number|int|integer|bool|boolean|object|array|any|bytes?|required|optional|password|passwd|secret|token|key|hidden|type|name|value|todo|tbd|n\/a|unknown|empty|default|self|this|new|function|async|await|return|const|let|var|(?:aes|sha|md|wpa)-?[0-9]{1,3}(?:-[a-z]{3})?)$/i;
/** Types of GraphQL: `String!`, `[ID!]!`. */
export const graphqlType = /^\[?(?:String|Int|Float|Boolean|ID|[A-Z][A-Za-z]{2,40}Input)!?\]?!?$/;
/** `foo(`, `obj.field`, `obj->field`, `Class::CONST`, `arr[0]`, `&ref`, `new X`. */
export const expression = /^[A-Za-z_$@][A-Za-z0-9_$]{0,80}(?:\(|\.[A-Za-z_]|\[|->|::)|^(?:new|await|typeof|function) /;
export const path = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,12}:\/\/|file:|#[a-z-]{1,60}$)/;
/** `net/tools/token_utils.h`, `man2/memfd_secret.2`: a relative path to a file. */
export const file = /^[A-Za-z0-9_.-]{1,60}(?:\/[A-Za-z0-9_.-]{1,60}){1,12}\.[A-Za-z0-9]{1,4}$/;
export const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].{0,40})?$/;
export const version = /^[v^~=]?[0-9]{1,5}(?:\.[0-9]{1,5}){1,4}(?:-[a-z]{1,12}[.0-9]{0,8})?$/;
/** Five in a row are in no word of any of the languages that names are made of, and in most random strings. */
export const consonants = /[bcdfghjklmnpqrstvwxz]{5}/i;
/** Alphabets and keyboards hold such runs too. */
export const alphabet = /abcdef|klmnop|qwerty/i;
export const slug = /^[A-Za-z]{1,40}(?:[-_. ][A-Za-z]{1,40}){0,12}$/;
