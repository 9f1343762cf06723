const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A number of bytes in the unit that suits it, such as "4.2 MB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1_000 ** power;
  const format = { style: "unit", unit: units[power] ?? "byte", maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 } as const;
  return new Intl.NumberFormat(undefined, { ...format, unitDisplay: power === 0 ? "long" : "short" }).format(value);
}
