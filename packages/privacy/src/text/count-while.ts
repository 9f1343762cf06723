/** How many items at the start of a list `holds` is true for, by halves: after the first for which it is not, it is true for none. */
export function countWhile<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  for (let high = list.length; low < high;) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
