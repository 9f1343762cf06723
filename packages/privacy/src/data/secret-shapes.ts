/** Never more than a word: shorter than what is random without a digit. */
export const plainWord = /^[A-Za-z]{1,23}$/;
/** Names of settings and of methods that set. */
export const constant = /^[A-Z][A-Z0-9_]{3,}$/;
export const setter = /(?:^|\.)(?:set|with)_?[A-Za-z]|securestring$|^PASSWORD$/i;
/** Names of algorithms and of what is numbered. */
export const technical =
  /^(?:sha|md|aes|rsa|argon|base|utf|oauth|http|scram|pbkdf|x509|tls|ssl|ipv|ssh|des|win|web|log4|es20|col|row|arg|param|var|tmp|test|line|step|level|type|page|item|field|input|option|value|key|user|pass(?:word)?|group|column)[-_.]?[0-9]/;
/** Names of algorithms, which titles write with capitals too: `OAuth2`. `Test1234` is a password. */
export const algorithm = /^(?:sha|md|aes|rsa|argon|base|utf|oauth|http|scram|pbkdf|x509|tls|ssl|ipv|ssh)[-_.]?[0-9]/i;
export const simple = /^[A-Za-z]{3,24}(?:[-_.][A-Za-z]{2,24}){0,4}[-_.]?[0-9]{1,8}[!@#$%&*?]{0,3}$/;
/** A word that the names of credentials and of their types hold, and few passwords. */
export const credentialWord = /pass|word|secret|token|hash|type/i;
/** Names of cookies that hold a session: PHP, Java, ASP.NET, Express, Laravel, Django. */
export const isCookie = /(?:sess(?:ion)?[-_.]?id|(?:^|[._-])sid|[-_]session|sessid|session[-_]?token)$/i;
/** `PASSWORD_SMTP=x`: behind a setting whose name goes on. */
export const settingEnd = /(?<=_[A-Z0-9]{1,32}=)/y;
/** `NAME=value`: a line of its own. */
export const setting = /^[A-Za-z_][A-Za-z0-9_]{2,60}=[^=]/;
/** `vault.read(name)`: a call. */
export const call = /^[\w.$]+\(/;
/** A value that layout gives to its label. */
export const laidOutShape = /[0-9]{4}(?: [0-9]{4}){3,7}(?![^\s])|[^\s|"'`<>\\]{4,256}/y;
