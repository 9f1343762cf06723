/**
 * Different words that FTS5's hash (`fts5HashKey`, without a key) puts in one place: characters that stand 16 apart change places. A digit
 * keeps them from being stemmed. At most 65,536.
 */
export function collidingWords(count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const bits = Array.from({ length: 16 }, (_unused, place) => (number >> place) & 1);
    return `${bits.map((bit) => (bit ? "x" : "y")).join("")}${bits.map((bit) => (bit ? "y" : "x")).join("")}1`;
  });
}
