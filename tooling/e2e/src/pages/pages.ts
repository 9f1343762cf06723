import type { SiteFile } from "@periscope/harness/site";

/** A page of HTML. */
export const html = (title: string, body: string, lang = "en"): SiteFile => ({
  type: "text/html; charset=utf-8",
  text: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${title}</title><body>${body}`,
});

/** What stands in fields of pages, and must stay there. Put together here, so that no file of the repository holds one. */
export const fieldSecrets = {
  password: ["purple", "monkey7", "dishwasher"].join("-"),
  code: ["483", "920"].join(""),
  card: ["5555", "5555", "5555", "4444"].join(""),
  pin: ["9", "1", "7", "3", "5", "5", "1"].join(""),
  diary: "what-ada-wrote-in-her-diary",
  privateWindow: "what-ada-read-in-a-private-window",
};

const fields = `
  <label>Name <input name="nick" value="lighthouse-fan"></label>
  <label>Password <input type="password" name="password" value="${fieldSecrets.password}"></label>
  <label>Code <input autocomplete="one-time-code" name="otp" value="${fieldSecrets.code}"></label>
  <label>Card <input autocomplete="cc-number" name="card" value="${fieldSecrets.card}"></label>
  <input type="hidden" name="pin" value="${fieldSecrets.pin}">`;

/** A page of the site. */
export interface SitePage {
  file: SiteFile;
  title: string;
  /** Begins the text that the server is to have of it. */
  begins: string;
  /** Whether something stands in a field that makes the whole page restricted. */
  isSecret?: boolean;
}

const large = Array.from({ length: 50_000 }, (_, index) => `<p><b>${index}</b></p>`).join("");

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
  "/large": { title: "Many", begins: "So many", file: html("Many", `<p>So many</p>${large}`) },
  "/spa": {
    title: "App",
    begins: "View",
    file: html(
      "App",
      '<main>View start</main><script>window.show = (name) => { document.title = "View " + name; document.querySelector("main").textContent = "View " + name; };</script>',
    ),
  },
};

/** What the site has at a path. */
export function fileAt(path: string): SiteFile | undefined {
  if (path === "/framed") return html("Framed", "<p>inside a frame</p>");
  if (path === "/diary") return html("Diary", `<p>${fieldSecrets.diary}</p>`);
  if (path === "/private") return html("Private", `<p>${fieldSecrets.privateWindow}</p>`);
  return pages[path]?.file;
}
