import { isAtMost, type PrivacyLevel } from "@periscope/privacy";
import { createMessage, updateMessage } from "./messages.js";
import { goesFrom, type Planted } from "./planted-values.js";

const here = "https://pages.example/reading";

/** A URL with the text in path, query and fragment. */
const urlWith = (text: string) => {
  const encoded = encodeURIComponent(text);
  return `${here}/${encoded}/end?note=${encoded}&q=${encoded}#${encoded}`;
};

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Content in every format, with each of the texts in it. */
function contents(texts: readonly string[]): Array<Record<string, unknown>> {
  const fields = texts.map((value, index) => ({ name: `note${index}`, type: "textarea", label: "Note", filled: true, value }));
  return [
    { content: texts.map((text) => `A line before.\n${text}\nA line after.`).join("\n\n") },
    {
      contentFormat: "html",
      content: texts
        .map((text) => `<p title="${escaped(text)}">${escaped(text)}</p><pre>${escaped(text)}</pre><!-- ${text} -->`)
        .join("\n"),
    },
    { contentFormat: "markdown", content: texts.map((text) => `# Notes\n\n- ${text}\n\n\`\`\`\n${text}\n\`\`\``).join("\n\n") },
    { type: "form", content: JSON.stringify(fields) },
  ];
}

const chunked = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const mustGo = (level: PrivacyLevel, place: "content" | "title or url") => (value: Planted) => isAtMost(goesFrom(value.kind, place), level);

/** Contexts with the values in every field of text, at a level at which they must go from there. */
function contextsAt(level: PrivacyLevel, values: readonly Planted[]): Array<Record<string, unknown>> {
  const inContent = values.filter(mustGo(level, "content"));
  return [
    ...chunked(inContent, 40).flatMap((some) =>
      contents(some.map(({ text }) => text)).map((fields) => ({ ...fields, privacyLevel: level })),
    ),
    ...inContent.map(({ text }) => ({
      privacyLevel: level,
      metadata: { note: text, [text.slice(0, 500)]: true },
      tabMetadata: { id: "7", url: here, title: "Reading", lang: text, ...(text.length <= 128 && { openerTabId: text }) },
    })),
    ...values.filter(mustGo(level, "title or url")).map(({ text }) => ({
      privacyLevel: level,
      url: urlWith(text),
      title: text,
      tabMetadata: {
        id: "7",
        url: ownUrl(text) ?? urlWith(text),
        title: `Tab: ${text}`,
        referrer: urlWith(text),
        favIconUrl: urlWith(text),
      },
    })),
  ];
}

/** The URL that a text has in it. */
const ownUrl = (text: string): string | undefined => /https?:\/\/\S+/.exec(text)?.[0];

/** The same fields once in a create, once in an update of a context that had nothing in it. */
export function messagesAt(level: PrivacyLevel, values: readonly Planted[]): Array<Record<string, unknown>> {
  return contextsAt(level, values).flatMap((fields, index) => {
    if (index % 4 !== 0) return [createMessage({ context: fields })];
    const id = `updated-${level}-${index}`;
    return [createMessage({ context: { id, privacyLevel: level } }), updateMessage(id, fields)];
  });
}

/** Settings and errors of an extension with the values wherever text may stand. */
export function reportsWith(values: readonly Planted[], level: PrivacyLevel): Array<Record<string, unknown>> {
  return values.filter(mustGo(level, "content")).flatMap(({ text }, index) => {
    const head = { timestamp: "2026-01-31T12:00:01.000Z", extensionId: `extension-${index % 7}` };
    const nested = { note: text, [text]: 1, list: [text, { deep: text }] };
    return [
      { ...head, id: `config-${level}-${index}`, type: "config", payload: { type: "config", config: nested } },
      { ...head, id: `error-${level}-${index}`, type: "error", payload: { type: "error", code: text, message: text, details: nested } },
    ];
  });
}

/** Messages that are refused, or that carry the text where nothing is read. */
export function refusedWith({ text }: Planted): unknown[] {
  const good = createMessage({ context: { id: "good" } });
  const at = (fields: object) => createMessage({ context: { content: text, ...fields } });
  return [
    { ...good, note: text, payload: { ...good.payload, note: text, context: { ...good.payload.context, note: text } } },
    at({ tabMetadata: undefined }),
    at({ type: text }),
    at({ capturedAt: text }),
    at({ contentFormat: text, privacyLevel: text }),
    at({ id: text }),
    at({ userId: text }),
    at({ url: "chrome://settings/" }),
    at({ tabMetadata: { id: "7", url: here, title: text, incognito: true } }),
    at({ url: `no url ${text}` }),
    { ...good, type: text },
    { ...good, timestamp: text },
    updateMessage("nobody-has-this", { content: text }),
    text,
    [text],
  ];
}
