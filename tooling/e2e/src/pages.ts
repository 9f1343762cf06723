import type { SiteAnswer, SiteFile } from "@periscope/harness/site";

/** A page of HTML. */
const html = (title: string, body: string, lang = "en"): SiteFile => ({
  type: "text/html; charset=utf-8",
  text: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${title}</title><body>${body}`,
});

/** What must be nowhere but in the page it was on. Put together here, so that no file of the repository holds one. */
export const secrets = {
  password: ["purple", "monkey7", "dishwasher"].join("-"),
  code: ["483", "920"].join(""),
  card: ["5555", "5555", "5555", "4444"].join(""),
  pin: ["9", "1", "7", "3", "5", "5", "1"].join(""),
  diary: "what-ada-wrote-in-her-diary",
  privateWindow: "what-ada-read-in-a-private-window",
  textCard: ["4111", "1111", "1111", "1111"].join(" "),
  textPassword: ["correct", "horse7", "battery"].join("-"),
  token: `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`,
};

/** A text with secrets, as a page captures one. */
export const textSecrets = `My card number: ${secrets.textCard}. password: ${secrets.textPassword}\n${secrets.token}`;

const fields = `
  <label>Name <input name="nick" value="lighthouse-fan"></label>
  <label>Password <input type="password" name="password" value="${secrets.password}"></label>
  <label>Code <input autocomplete="one-time-code" name="otp" value="${secrets.code}"></label>
  <label>Card <input autocomplete="cc-number" name="card" value="${secrets.card}"></label>
  <input type="hidden" name="pin" value="${secrets.pin}">`;

/** A page of the site. */
export interface SitePage {
  file: SiteFile;
  title: string;
  /** Begins the text that the server is to have of it. */
  begins: string;
  /** Whether something stands in a field that makes the whole page restricted. */
  isSecret?: boolean;
}

/** Pages by path. */
export const pages: Readonly<Record<string, SitePage>> = {
  "/plain": {
    title: "The keeper",
    begins: "The keeper lights",
    file: html("The keeper", "<h1>The keeper lights</h1><p>the lamp at dusk.</p><script>var hidden = 1</script>"),
  },
  "/cjk": {
    title: "灯台守",
    begins: "灯台守は夕暮れに",
    file: html("灯台守", "<p>灯台守は夕暮れに灯をともす。</p><p>守塔人在黄昏时点亮灯。등대지기는 해질녘에 불을 켠다.</p>", "ja"),
  },
  "/frames": {
    title: "Frames",
    begins: "Around the frames",
    file: html("Frames", '<p>Around the frames</p><iframe src="/framed"></iframe><iframe src="/framed"></iframe>'),
  },
  "/form": { title: "A form", begins: "", isSecret: true, file: html("A form", `<p>Tell us</p><form id="form">${fields}</form>`) },
  "/login": {
    title: "Sign in",
    begins: "",
    isSecret: true,
    file: html("Sign in", `<form id="login">${fields}<button>Sign in</button></form>`),
  },
  "/spa": {
    title: "App",
    begins: "View",
    file: html(
      "App",
      '<main>View start</main><script>window.show = (name) => { document.title = "View " + name; document.querySelector("main").textContent = "View " + name; };</script>',
    ),
  },
};

/** The text of most pages here. */
export const textOf = (title: string): string => `Text of ${title}`;

const page = (title: string, more = "") => html(title, `<p id="text">${textOf(title)}</p>${more}`);

/** Pages by path that browsers load, show and keep in unusual ways. */
const loadedOddly: Readonly<Record<string, SiteAnswer>> = {
  "/one": page("one"),
  "/two": page("two"),
  "/hanging": page("hanging", `<img src="/never">`),
  "/never": () => {},
  "/streamed": (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    // Chromium draws nothing before the first few kilobytes. The rest is never sent.
    response.write(`${page("streamed").text}<!--${" ".repeat(5_000)}-->`);
  },
  "/skeleton": html("Loading", `<p id="text">Loading…</p>`),
};

/** What the site has at a path. */
export function fileAt(path: string): SiteAnswer | undefined {
  if (path === "/framed") return html("Framed", "<p>inside a frame</p>");
  if (path === "/diary") return html("Diary", `<p>${secrets.diary}</p>`);
  if (path === "/private") return html("Private", `<p>${secrets.privateWindow}</p>`);
  return pages[path]?.file ?? loadedOddly[path];
}
