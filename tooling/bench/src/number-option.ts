/** Bounds of an option that is a number, its value when it is not given, and the usage text that an error ends with. */
export interface NumberOption {
  fallback: number;
  least: number;
  most: number;
  usage: string;
}

/**
 * The value of an option that is a number.
 * @throws Error that says which option is wrong and what it takes
 */
export function numberOption(name: string, text: string | undefined, { fallback, least, most, usage }: NumberOption): number {
  const value = text === undefined ? fallback : Number(text);
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} takes a number from ${least} to ${most}, not ${text ?? ""}.\n\n${usage}`);
}
