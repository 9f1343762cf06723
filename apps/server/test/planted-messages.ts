import type { PrivacyLevel } from "@periscope/privacy";
import { configMessage, createMessage, errorMessage, updateMessage } from "./messages.js";
import { mustGo, type Planted } from "./planted-values.js";

const here = "https://pages.example/reading";

/** A URL with the text in path, query and fragment. */
const urlWith = (text: string) => {
  const encoded = encodeURIComponent(text);
  return `${here}/${encoded}/end?note=${encoded}&q=${encoded}#${encoded}`;
};

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Contexts with each text in content of every format, in metadata, and in titles and URLs. */
function contextsAt(level: PrivacyLevel, values: readonly Planted[]): Array<Record<string, unknown>> {
  const texts = values.filter((value) => mustGo(value, level, "content")).map(({ text }) => text);
  const html = texts.map((text) => `<p title="${escaped(text)}">${escaped(text)}</p><pre>${escaped(text)}</pre><!-- ${text} -->`);
  const fields = texts.map((value, index) => ({ name: `note${index}`, type: "textarea", label: "Note", filled: true, value }));
  const contexts = [
    { content: texts.map((text) => `A line before.\n${text}\nA line after.`).join("\n\n") },
    { contentFormat: "html", content: html.join("\n") },
    { contentFormat: "markdown", content: texts.map((text) => `# Notes\n\n- ${text}\n\n\`\`\`\n${text}\n\`\`\``).join("\n\n") },
    { type: "form", content: JSON.stringify(fields) },
    ...texts.map((text) => ({
      metadata: { note: text, [text.slice(0, 500)]: true },
      tabMetadata: { id: "7", url: here, title: "Reading", lang: text, ...(text.length <= 128 && { openerTabId: text }) },
    })),
    ...values
      .filter((value) => mustGo(value, level, "title or url"))
      .map(({ text }) => {
        const url = /https?:\/\/\S+/.exec(text)?.[0] ?? urlWith(text);
        const tabMetadata = { id: "7", url, title: `Tab: ${text}`, referrer: urlWith(text), favIconUrl: urlWith(text) };
        return { url: urlWith(text), title: text, tabMetadata };
      }),
  ];
  return contexts.map((fields) => ({ ...fields, privacyLevel: level }));
}

/** The same fields in a create, and some in an update of a context that had nothing in it. */
export function messagesAt(level: PrivacyLevel, values: readonly Planted[]): Array<Record<string, unknown>> {
  return contextsAt(level, values).flatMap((fields, index) => {
    if (index % 4 !== 0) return [createMessage({ context: fields })];
    const id = `updated-${level}-${index}`;
    return [createMessage({ context: { id, privacyLevel: level } }), updateMessage(id, fields)];
  });
}

/** Settings and errors of an extension with the values wherever text may stand. */
export function reportsWith(values: readonly Planted[], level: PrivacyLevel): Array<Record<string, unknown>> {
  return values
    .filter((value) => mustGo(value, level, "content"))
    .flatMap(({ text }, index) => {
      const nested = { note: text, [text]: 1, list: [text, { deep: text }] };
      const error = { ...errorMessage(text, { message: text, details: nested }), id: `error-${level}-${index}` };
      return [configMessage(`config-${level}-${index}`, index, nested, `extension-${index % 7}`), error];
    });
}

/** Messages that are refused, or that carry the text where nothing is read. */
export function refusedWith({ text }: Planted): unknown[] {
  const good = createMessage({ context: { id: "good" } });
  const at = (fields: object) => createMessage({ context: { content: text, ...fields } });
  return [
    { ...good, note: text, payload: { ...good.payload, note: text, context: { ...good.payload.context, note: text } } },
    ...[{ tabMetadata: undefined }, { type: text }, { capturedAt: text }, { contentFormat: text, privacyLevel: text }].map(at),
    ...[{ id: text }, { userId: text }, { url: "chrome://settings/" }, { url: `no url ${text}` }].map(at),
    at({ tabMetadata: { id: "7", url: here, title: text, incognito: true } }),
    { ...good, type: text },
    { ...good, timestamp: text },
    updateMessage("nobody-has-this", { content: text }),
    text,
    [text],
  ];
}
