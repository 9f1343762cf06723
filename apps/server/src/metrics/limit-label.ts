/** Keeps the values of a label few: the first `valuesMax` different ones are told as they are, all further ones as `(other)`. */
export function limitLabel(valuesMax: number): (value: string) => string {
  const told = new Set<string>();
  return (value) => {
    if (told.has(value)) return value;
    if (told.size >= valuesMax) return "(other)";
    told.add(value);
    return value;
  };
}
