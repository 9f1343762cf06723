/** One line a field, `label: value`, of a form's content; null when `content` is no JSON array of fields. */
export function formText(content: string): string | null {
  const fields = parseArray(content);
  if (fields === null) return null;
  const lines: string[] = [];
  for (const field of fields) {
    if (typeof field !== "object" || field === null) continue;
    const { label, name, value } = field as Record<string, unknown>;
    const caption = textOf(label) || textOf(name);
    const line = [caption, textOf(value)].filter((part) => part !== "").join(": ");
    if (line !== "") lines.push(line);
  }
  return lines.join("\n");
}

function parseArray(content: string): unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(content);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "";
}
