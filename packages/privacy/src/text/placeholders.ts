/**
 * Values that stand for a secret and are none: examples, masks, templates, references to variables, and what this
 * package itself puts in. They stay, because documentation is full of them.
 */
const words =
  /example|placeholder|changeme|change[-_]me|replace[-_]?(?:me|with)|your[-_ ]|insert[-_]|redacted|x{5}|\*{3}|\.{3}|…|•{2}|<[a-z]|lorem/i;
/** In a long value these may be part of a name. */
const shortWords = /dummy|sample|fake|test-?(?:key|token|secret)/i;
const shortMax = 32;
const filler = /^(.)\1{1,4095}$/;
/** `${VAR}`, `$VAR`, `$(command)`, `{{var}}`, `%VAR%`, `%(name)s`, `<%= x %>`, `#{x}`, `@Var@`. */
const template =
  /^(?:\$\{|\$\(|\$[A-Za-z_][A-Za-z0-9_]{0,80}$|\$[0-9]$|\{\{|\{[A-Za-z_][A-Za-z0-9_.]{0,80}\}$|%[A-Za-z_][A-Za-z0-9_]{0,80}%$|%\(|<|#\{|@[A-Za-z_]{1,80}@$|\[REDACTED)/;

/** Whether a value is an example, a mask or a template rather than a secret. */
export function isPlaceholder(value: string): boolean {
  return (
    value === "" || filler.test(value) || template.test(value) || words.test(value) || (value.length <= shortMax && shortWords.test(value))
  );
}
