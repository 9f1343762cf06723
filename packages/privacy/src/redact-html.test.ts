import { describe, expect, test } from "vitest";
import { noise } from "../test/detector-table.js";
import { redactHtml } from "./index.js";

const html = (source: string, level: "public" | "private" | "filtered" = "private"): string => redactHtml(source, level).html;
const token = noise(30);

describe("HTML that stays HTML", () => {
  test("untouched markup keeps its spelling", () => {
    const source = '<!DOCTYPE html>\n<P Class=x>Hello &amp; <b>you</b> a < b<br/>\n<a href="/x?q=1&amp;p=2">link</a></P>';
    expect(html(source)).toBe(source.replace("a < b", "a &lt; b"));
  });

  test.each([
    ["<p>a<script>secret()</script>b</p>", "<p>ab</p>"],
    ["<p>a<style>x{}</style><svg><path d=1></svg>b", "<p>ab"],
    ["a<!-- password: x --><!---->b", "ab"],
    ["a<iframe srcdoc='<b>'>x</iframe>b", "ab"],
    ["<b onclick='x()' style=\"y\">c</b>", "<b>c</b>"],
    ["<script>never closed", ""],
    ["<svg><svg></svg>x</svg>y", "y"],
    ["<a href='javascript:x'>b</a>", "<a >b</a>"],
    ["<a href='x", ""],
  ])("drops what is no text: %j", (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test("a value that tags and references cut in pieces is still found", () => {
    expect(html("<p>4111 <b>1111</b> 1111 1111</p>")).toBe("<p>[REDACTED:card]<b></b></p>");
    expect(html("<p>4111&#32;1111&nbsp;1111 1111</p>")).toContain("4111");
    expect(html("<p>4111&#32;1111 1111 1111</p>")).toBe("<p>[REDACTED:card]</p>");
    expect(html("<td>4111</td><td>1111</td>")).toBe("<td>4111</td><td>1111</td>");
  });

  test("URLs in attributes are filtered as URLs", () => {
    expect(html(`<a href="https://a.example/?a=1&amp;token=${token}&amp;utm_source=z">x</a>`)).toBe(
      '<a href="https://a.example/?a=1&amp;token=REDACTED">x</a>',
    );
    expect(html("<img src=https://me:pw@a.example/x.png>")).toBe('<img src="https://a.example/x.png">');
    expect(html('<a href="mailto:jo@example.org">x</a>')).toBe('<a href="mailto:REDACTED">x</a>');
    expect(html('<img src="data:image/png;base64,AAAA">')).toBe('<img src="REDACTED">');
  });

  test("values of hidden, password, card and token controls go, the rest stays", () => {
    expect(html('<input type="hidden" name="x" value="abc">')).toBe('<input type="hidden" name="x">');
    expect(html("<input type=text autocomplete=current-password value=abc>")).toBe("<input type=text autocomplete=current-password>");
    expect(html('<input name="otp" value="123">', "public")).toBe('<input name="otp">');
    expect(html('<input name="email" value="jo@example.org">', "public")).toContain("jo@example.org");
    expect(html('<input name="email" value="jo@example.org">', "private")).toBe('<input name="email">');
    expect(html('<input name="city_search" type="submit" value="Go">')).toContain("Go");
    expect(html(`<meta name="csrf-token" content="${token}">`)).toBe('<meta name="csrf-token">');
    expect(html('<textarea name="password">abc</textarea>')).toBe('<textarea name="password"></textarea>');
  });

  test("other attributes are filtered as text, with their name as context", () => {
    expect(html('<p title="card 4111 1111 1111 1111">x</p>')).toBe('<p title="card [REDACTED:card]">x</p>');
    expect(html(`<p data-api-key="${token}">x</p>`)).toBe('<p data-api-key="[REDACTED:secret]">x</p>');
  });

  test("what was removed cannot make new markup of its neighbours", () => {
    const once = html("<<script></script>img src=x onerror=y>");
    expect(once).not.toMatch(/<img/);
    expect(html(once)).toBe(once);
  });
});

describe("HTML that becomes text", () => {
  test("blocks become lines, scripts, forms and the head go, images keep their alternative text", () => {
    const source =
      "<html><head><title>t</title><style>x</style></head><body><h1>Head &amp; shoulders</h1><p>One  <b>two</b><br>three</p><select><option>no</select><img alt='a cat' src=x><ul><li>i</li></ul></body>";
    expect(html(source, "filtered")).toBe("Head & shoulders\nOne two\nthree\na cat\ni");
  });

  test("identifiers go", () => {
    expect(redactHtml("<p>Jo: <a href='mailto:jo@example.org'>jo<span>@</span>example.org</a></p>", "filtered")).toEqual({
      html: "Jo: [REDACTED:email]",
      redactions: { email: 1 },
    });
  });

  test("addresses and persons by markup", () => {
    expect(html("<p>by</p><address>1 Main St<br>Town</address><p>end</p>", "filtered")).toBe("by\n[REDACTED:address]\nend");
    expect(
      html(
        '<div itemscope itemtype="https://schema.org/Person"><span itemprop="name">Ada Example</span>, <span itemprop="jobTitle">engineer</span></div>',
        "filtered",
      ),
    ).toBe("[REDACTED:name] , engineer");
    expect(html('<div class="vcard"><b class="fn">Ada</b> writes</div><b class="fn">kept</b>', "filtered")).toBe(
      "[REDACTED:name] writes\nkept",
    );
  });

  test("restricted is empty", () => {
    expect(redactHtml("<p>x</p>", "restricted").html).toBe("");
  });
});

test.each([
  "\n https://jo:pW0rdPlanted@h.example/x",
  " https://jo:pW0rdPlanted@intra/x",
  "https:/jo:pW0rdPlanted@h.example",
  "https:jo:pW0rdPlanted@h.example",
  "https:\\\\jo:pW0rdPlanted@h.example",
  "ht&#9;tps://jo:pW0rdPlanted@h.example",
  "/\\jo:pW0rdPlanted@h.example",
])("userinfo of a link goes in the spelling %j", (url) => {
  for (const level of ["public", "private"] as const) {
    const { html, redactions } = redactHtml(`<a href="${url}">x</a>`, level);
    expect(html).toMatch(/^<a href="(?:https:)?\/\/(?:h\.example|intra)(?:\/x)?">x<\/a>$/);
    expect(redactions).toEqual({ url_auth: 1 });
  }
});
