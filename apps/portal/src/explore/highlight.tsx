/** A text with the words of a query marked. A word counts as found in another ending, as the search finds it. */
export function Highlight({ text, query }: { text: string; query: string | undefined }) {
  const wanted = toWords(query ?? "");
  if (wanted.length === 0) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((piece, at) => {
    const word = fold(piece);
    const isFound = at % 2 === 1 && wanted.some((each) => word.startsWith(each) || (word.length > 3 && each.startsWith(word)));
    return isFound ? <mark key={at}>{piece}</mark> : piece;
  });
}

/** The words of a query that a result should have. */
function toWords(query: string): string[] {
  const words = query.replaceAll(/(?:^|\s)-(?:"[^"]*"?|\S+)/gu, " ").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word !== "OR").map(fold);
}

const fold = (word: string): string => word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
