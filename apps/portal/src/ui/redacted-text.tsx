/** A text as it is stored, with what the privacy filter has put in the place of what it removed set off from the rest. */
export function RedactedText({ text }: { text: string }) {
  const parts = text.split(/\[REDACTED:([a-z][a-z0-9_]*)\]/);
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} className="mx-px rounded-small bg-bad-tint px-1 py-0.5 text-[0.92em] font-medium whitespace-nowrap text-bad">
        {part.replaceAll("_", " ")}
      </span>
    ),
  );
}
