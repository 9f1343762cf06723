type Step = string | number;

/** Every place in a JSON value, and in each object one more that is not there yet. The empty path is the value itself. */
export function placesIn(value: unknown): Step[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const inside = Object.entries(value).flatMap(([key, item]) =>
    placesIn(item).map((path) => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
  return [[], ...inside, ...(Array.isArray(value) ? [] : [["added"]])];
}

/** A copy of `value` with the place at `path` replaced. */
export function withPlace(value: unknown, [step, ...rest]: readonly Step[], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? withPlace(item, rest, replacement) : item));
  const record = value as Record<string, unknown>;
  return { ...record, [step]: withPlace(record[step], rest, replacement) };
}
