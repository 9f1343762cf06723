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
    ["<script/><img src=x onerror=alert(1)></script>a", "a"],
    ['<script/>window.s={"mail":"jo@example.org"}</script>a', "a"],
    ["<style/><img src=x onerror=alert(1)></style>a", "a"],
    ["<iframe/><img src=x onerror=alert(1)></iframe>a", "a"],
    ["<noembed /><img src=x onerror=alert(1)></noembed>a", "a"],
    ["a<svg/>b<math />c", "abc"],
    ["<svg><svg/></svg>a", "a"],
    ['<a href="java&#10;script:alert(1)">x</a>', "<a >x</a>"],
    ['<a href="j&Tab;avascript&#13;:alert(1)">x</a>', "<a >x</a>"],
    ['<a href="&#x000006A;avascript:alert(1)">x</a>', "<a >x</a>"],
    ['<a href="&#0000000106;avascript:alert(1)">x</a>', "<a >x</a>"],
  ])("drops what is no text: %j", (source, expected) => {
    expect(html(source)).toBe(expected);
    expect(html(expected)).toBe(expected);
    expect(html(source, "filtered").replaceAll("\n", "")).toBe(expected.replaceAll(/<[^<>]*>/g, ""));
  });

  test("a value that tags and references cut in pieces is still found", () => {
    expect(html("<p>4111 <b>1111</b> 1111 1111</p>")).toBe("<p>[REDACTED:card]<b></b></p>");
    expect(html("<p>4111&#32;1111&nbsp;1111 1111</p>")).toBe("<p>[REDACTED:card]</p>");
    expect(html("<p>4111&#32;1111 1111 1111</p>")).toBe("<p>[REDACTED:card]</p>");
    expect(html("<p>4111&#x000000020;1111&#0000000032;1111 1111</p>")).toBe("<p>[REDACTED:card]</p>");
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
  test("turns blocks into lines, drops scripts, forms and the head, keeps alt texts", () => {
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

describe("a label and its value in neighbouring elements", () => {
  const secret = noise(24);
  const shapes: ReadonlyArray<readonly [string, (label: string, value: string) => string]> = [
    ["cells", (label, value) => `<table><tr><th>${label}</th><td>${value}</td></tr></table>`],
    ["cells on lines of their own", (label, value) => `<tr>\n  <td>\n    ${label}\n  </td>\n  <td>\n    ${value}\n  </td>\n</tr>`],
    ["cells with blocks in them", (label, value) => `<tr><td><p>${label}</p></td>\n<td><div>${value}</div></td></tr>`],
    ["cells whose end tags are left out", (label, value) => `<tr><td>${label}<td>${value}`],
    ["a column", (label, value) => `<tr><th>User</th><th></th><th>${label}</th></tr><tr><td>ada</td><td></td><td>${value}</td></tr>`],
    ["a term and its description", (label, value) => `<dl><dt>User</dt><dd>ada</dd><dt>${label}</dt><dd>${value}</dd></dl>`],
    ["paragraphs", (label, value) => `<p>${label}</p>\n\n<p>${value}</p>`],
    ["a label and a span", (label, value) => `<label>${label}</label><span>${value}</span>`],
    ["nested blocks", (label, value) => `<div><div>${label}</div></div><div><code>${value}</code></div>`],
    ["a block after an image", (label, value) => `<div>${label}</div><div><img src="x.png" title="copy">${value}</div>`],
    ["a heading and a text area", (label, value) => `<h3>${label}</h3><textarea readonly>${value}</textarea>`],
    ["a wrapped line", (label, value) => `<p>${label}:\n   <b>${value}</b></p>`],
  ];

  test.each(shapes)("in %s", (_, shape) => {
    for (const level of ["public", "private"] as const) {
      expect(html(shape("Password", "hunter2!Zqvv"), level)).toBe(shape("Password", "[REDACTED:password]"));
      expect(html(shape("Client secret", secret), level)).toBe(shape("Client secret", "[REDACTED:secret]"));
      expect(html(shape("AWS_SECRET_ACCESS_KEY", secret), level)).toBe(shape("AWS_SECRET_ACCESS_KEY", "[REDACTED:secret]"));
    }
  });

  test.each(["<tr><th>CVV</th><td>739</td></tr>", "<dl><dt>CVV</dt><dd>739</dd></dl>"])("a short one in %s", (source) => {
    expect(html(source)).toBe(source.replace("739", "[REDACTED:cvv]"));
  });

  test("the same at filtered, as text with a tab between cells", () => {
    expect(html("<table><tr><th>Password</th><td>hunter2!Zqvv</td></tr><tr><th>Age</th><td></td><td>7</td></tr></table>", "filtered")).toBe(
      "Password\t[REDACTED:password]\nAge\t\t7",
    );
  });

  test("white space of a <pre> counts, that of other text does not", () => {
    expect(html("<p> a \n\n  b </p><pre>\nx:\n  y\n</pre><p>c</p>", "filtered")).toBe("a\nb\nx:\n  y\nc");
  });

  test("a second alternative text is filtered too", () => {
    expect(html('<img alt="card 4111 1111 1111 1111" alt="card 4111 1111 1111 1111">')).toBe(
      '<img alt="card [REDACTED:card]" alt="card [REDACTED:card]">',
    );
  });
});
