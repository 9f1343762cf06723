import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseQuery } from "./parse-query.js";
import type { SearchTerm } from "./parse-query.js";

const shown = (query: string): string => {
  const parsed = parseQuery(query);
  if (!parsed) return "nothing";
  const shownTerm = ({ words }: SearchTerm) => words.join("_");
  return [...parsed.all.map((group) => group.map(shownTerm).join("|")), ...parsed.none.map((term) => `-${shownTerm(term)}`)].join(" ");
};

test.each([
  ["words are all wanted", "rust borrow checker", "rust borrow checker"],
  ["case and composition do not matter", "RÉSUME\u0301", "resume"],
  ["a quoted phrase", '"borrow checker" rust', "borrow_checker rust"],
  ["printed quotes", "“borrow checker” rust „go lang“ -«video game»", "borrow_checker rust go_lang -video_game"],
  ["a quote inside a word opens a phrase", 'say"hello world"', "say hello_world"],
  ["an excluded word", "rust -game", "rust -game"],
  ["an excluded phrase", 'rust -"video game"', "rust -video_game"],
  ["an excluded stop word is meant", "rust -the", "rust -the"],
  ["alternatives", "rust OR go compiler", "rust|go compiler"],
  ["three alternatives, one a phrase", 'rust OR "go lang" OR zig', "rust|go_lang|zig"],
  ["pieces of one token follow each other", "node.js user@example.com state-of-the-art", "node_js user_example_com state_of_the_art"],
  ["the scheme of an address is left out", "https://w.example.net/one HTTP://a.test file:///b/c", "w_example_net_one a_test b_c"],
  ["a quoted address, and one that is left out", '"https://w.example.net" -https://a.test', "w_example_net -a_test"],
  ["an address inside another keeps its scheme", "a.test/go/https://b.test", "a_test_go_https_b_test"],
  ["an address is one phrase", "https://a.test/s?q=lamp,(x);y!", "a_test_s_q_lamp_x_y"],
  ["an excluded address is excluded whole", "rust -https://a.test/s?q=lamp", "rust -a_test_s_q_lamp"],
  ["an address as an alternative", "rust OR https://a.test/x?y=1", "rust|a_test_x_y_1"],
  ["an address in brackets", "(https://a.test/x)", "a_test_x"],
  ["percent escapes in an address", "https://a.test/K%C3%B6ln rust", "a_test_k_c3_b6ln|a_test_koln rust"],
  ["percent escapes in an address that is an alternative", "go OR https://a.test/%61", "go|a_test_61|a_test_a"],
  ["percent escapes in an excluded address", 'rust -"https://a.test/%61"', "rust -a_test_61 -a_test_a"],
  ["AT&T is a name", "AT&T merger", "at_t merger"],
  ["AT&T with an apostrophe is a name", "'AT&T' AT&T's", "at_t at_t_s"],
  ["compounds of stop words beside others are left out", "he/she pronouns that—which rust", "pronouns rust"],
  ["French compounds of stop words are left out", "est-ce loutre", "loutre"],
  ["compounds of stop words alone are wanted", "the and/or to-do", "and_or to_do"],
  ["contractions are left out", "it's don’t rust", "rust"],
  ["only a contraction", "don't", "nothing"],
  ["FTS syntax is words", 'title:foo* NEAR(bar ^baz) "', "title_foo near bar baz"],
  ["brackets around alternatives do not matter", "(rust OR go) -(java)", "rust|go -java"],
  ["stop words beside others are left out", "how to install the rust compiler", "install rust compiler"],
  ["a stop word as an alternative is left out", "the OR rust", "rust"],
  ["a phrase of stop words is meant", '"to be or not to be"', "to_be_or_not_to_be"],
  ["repeated words count once", "rust Rust rust -go -go", "rust -go"],
  ["an open quote is plain", '"borrow checker', "borrow checker"],
  ["an open quote after a phrase is plain", '"a phrase" and "more', "a_phrase"],
  ["OR at the edges is plain", "OR rust OR", "rust"],
  ["OR after OR is plain", "rust OR OR go", "rust go"],
  ["OR before an exclusion is plain", "rust OR -go", "rust -go"],
  ["OR after an exclusion is plain", "-go OR rust", "rust -go"],
  ["lower case or is a stop word", "rust or go", "rust go"],
  ["a lone minus says nothing", "rust - go", "rust go"],
  ["two minus signs are plain", "--rust", "rust"],
  ["a minus inside a word is plain", "wi-fi", "wi_fi"],
  ["Chinese and Greek", "机器学习 ΑΛΦΑ", "机器学习 αλφα"],
  ["only stop words", "the and of", "nothing"],
  ["only stop words of another language", "ha noi", "ha noi"],
  ["a quoted stop word", '"the"', "nothing"],
  ["only exclusions", '-rust -"go lang"', "nothing"],
  ["only OR", "OR", "nothing"],
  ["nothing", "", "nothing"],
  ["punctuation", '"" - -- "-" *', "nothing"],
  ["an emoji", "🍕", "nothing"],
  ["a lone surrogate and NUL", "\ud83d \0", "nothing"],
  ["1 KiB of quotes", '"'.repeat(1024), "nothing"],
  ["1 KiB of minus signs", "-".repeat(1024), "nothing"],
  ["1 KiB of OR", "OR ".repeat(341), "nothing"],
])("%s", (_name, query, expected) => {
  expect(shown(query)).toBe(expected);
});

test("never raises, and every word it gives is letters and digits in lower case", () => {
  const pieces = fc.constantFrom('"', "-", "OR", " ", "\0", "\ud800", "the", "rust", "é", "机器", "🍕", "(", "*", ":", "AND", "NOT");
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, (query) => {
      const parsed = parseQuery(query);
      if (!parsed) return;
      expect(parsed.all.length).toBeGreaterThan(0);
      for (const term of [...parsed.all.flat(), ...parsed.none]) {
        expect(term.words.length).toBeGreaterThan(0);
        for (const word of term.words) expect(word).toMatch(/^[\p{L}\p{N}\p{Co}\p{M}]+$/u);
      }
    }),
  );
});
