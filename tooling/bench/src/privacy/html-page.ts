/** Escapes text for use in HTML. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * Markdown as sites of documentation publish it: headings with anchors, paragraphs, lists, tables as text, highlighted code. Packages
 * ship next to no HTML, so the bench writes it. Covers what documentation commonly uses, not all of CommonMark.
 */
export function markdownToHtml(markdown: string): string {
  const out: string[] = [];
  let code: string[] | undefined;
  let isList = false;
  const closeList = () => {
    if (isList) out.push("</ul>");
    isList = false;
  };
  for (const line of markdown.split("\n")) {
    if (/^ {0,3}```/.test(line)) {
      closeList();
      if (code !== undefined) out.push(codeBlock(code));
      code = code === undefined ? [] : undefined;
    } else if (code !== undefined) {
      code.push(line);
    } else {
      const heading = /^(#{1,6}) (.*)$/.exec(line);
      const item = /^ {0,6}[-*+] (.*)$/.exec(line);
      if (item === null) closeList();
      if (heading !== null) out.push(headingOf(heading[1]?.length ?? 1, heading[2] ?? ""));
      else if (item !== null) {
        if (!isList) out.push('<ul class="contains-task-list">');
        isList = true;
        out.push(`<li class="list-item" dir="auto">${inline(item[1] ?? "")}</li>`);
      } else if (line.trim() !== "") out.push(`<p dir="auto">${inline(line)}</p>`);
    }
  }
  closeList();
  if (code !== undefined) out.push(codeBlock(code));
  return out.join("\n");
}

function headingOf(level: number, text: string): string {
  const anchor = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const icon =
    '<svg class="octicon" viewBox="0 0 16 16" width="16" height="16"><path d="m7.775 3.275 1.25-1.25a3.5 3.5 0 1 1 4.95 4.95"/></svg>';
  return `<h${level} class="heading" id="${anchor}">${inline(text)}<a class="anchor" aria-hidden="true" href="#${anchor}">${icon}</a></h${level}>`;
}

function inline(text: string): string {
  return escaped(text)
    .replaceAll(/!\[([^\][\n]{0,300})\]\(([^()\s]{0,1000})\)/g, '<img src="$2" alt="$1" loading="lazy">')
    .replaceAll(/\[([^\][\n]{0,300})\]\(([^()\s]{0,1000})\)/g, '<a href="$2" rel="nofollow">$1</a>')
    .replaceAll(/`([^`\n]{1,300})`/g, '<code class="notranslate">$1</code>')
    .replaceAll(/\*\*([^*\n]{1,300})\*\*/g, "<strong>$1</strong>");
}

function codeBlock(lines: readonly string[]): string {
  const highlighted = lines.map((line) =>
    escaped(line).replaceAll(/\b(?:const|let|import|from|export|function|return|await|async|new|if)\b/g, '<span class="pl-k">$&</span>'),
  );
  return `<div class="highlight highlight-source-js" data-snippet-clipboard-copy-content=""><pre class="notranslate">${highlighted.join("\n")}</pre></div>`;
}

const style =
  "<style>.heading{margin:1em 0;font-weight:600}.anchor{float:left;padding-right:4px}.list-item+.list-item{margin-top:.25em}</style>";
const script =
  '<script>document.addEventListener("DOMContentLoaded",()=>{window.dataLayer=window.dataLayer||[];dataLayer.push({event:"page"})});</script>';
const navigation = Array.from(
  { length: 12 },
  (_, index) =>
    `<li class="nav-item nav-item-${index}"><a class="nav-link" href="/docs/chapter-${index}?lang=en#start" data-turbo-frame="main">Chapter ${index}</a></li>`,
).join("\n");

/** A page around a body: head, scripts, navigation, a search form, and a footer. */
export function pageOf({ title, url, body }: { title: string; url: string; body: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta property="og:title" content="${escaped(title)}">
<link rel="canonical" href="${escaped(url)}"><link rel="stylesheet" href="/assets/main.css?v=20260131">${style}${script}</head>
<body class="docs"><nav aria-label="Main"><ul>
${navigation}
</ul></nav><!-- content -->
<form action="/search" method="get"><input type="search" name="q" placeholder="Search the documentation" aria-label="Search"><button type="submit">Search</button></form>
<main><article class="markdown-body">
${body}
</article></main>
<footer><p>Published under the MIT License. <a href="/privacy">Privacy</a> <a href="/terms">Terms</a></p></footer>
</body></html>
`;
}
