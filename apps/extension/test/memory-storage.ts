/** The storage of a browser, in memory: values are copied in and out as there. */
export function memoryStorage() {
  const items = new Map<string, string>();
  const listeners: ((changes: Record<string, unknown>, area: string) => void)[] = [];
  return {
    local: {
      async get(keys: string[]): Promise<Record<string, unknown>> {
        return Object.fromEntries(keys.filter((key) => items.has(key)).map((key) => [key, JSON.parse(items.get(key) ?? "")]));
      },
      async set(changed: Record<string, unknown>): Promise<void> {
        for (const [key, value] of Object.entries(changed)) items.set(key, JSON.stringify(value));
        for (const listener of listeners) listener(changed, "local");
      },
    },
    onChanged: { addListener: (call: (changes: Record<string, unknown>, area: string) => void) => void listeners.push(call) },
  };
}
