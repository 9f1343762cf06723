import { keeper } from "../local-site.ts";

/** What stands in fields of the site, and must stay there. Put together here, so that no file of the repository holds one. */
export const secrets = {
  password: ["purple", "monkey7", "dishwasher"].join("-"),
  card: ["5555", "5555", "5555", "4444"].join(""),
  diary: ["what", "ada", "wrote"].join("-"),
};

/** Pages of the site by path. */
export const pages: Readonly<Record<string, string>> = {
  "/keeper": keeper,
  "/cjk": "<title>灯台守</title><p>灯台守は夕暮れに灯をともす。</p><p>守塔人在黄昏时点亮灯。등대지기는 해질녘에 불을 켠다.</p>",
  "/app": `<title>View start</title><main>View start</main><script>
    window.show = (name) => { document.title = "View " + name; document.querySelector("main").textContent = "View " + name; };</script>`,
  "/sign-in": `<title>Sign in</title><p>Welcome back</p><form action="/thanks"><input name="nick" value="ada">
    <input type="password" value="${secrets.password}"><input autocomplete="cc-number" value="${secrets.card}"><button>Go</button></form>`,
  // The page has names and prototypes of its own, of which a content script must see nothing.
  "/parts": `<title>Parts</title><h1>Parts of a lamp</h1><p id="wick">The wick is of cotton.</p><p hidden>Nobody sees this.</p>
    <img id="picture" alt="A lamp at dusk" width="80" height="80" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">
    <div id="host">slotted</div><form id="order" action="/thanks"><label>Oil <input name="oil" value="two litres"></label>
    <label>Card <input name="card" autocomplete="cc-number"></label><input name="firstChild"><button>Order</button></form>
    <script>document.querySelector("#host").attachShadow({ mode: "open" }).innerHTML = "<p>Glass around <slot></slot></p>";
    Object.defineProperty(HTMLElement.prototype, "innerText", { get: () => "spoofed" });
    Element.prototype.matches = () => { throw new Error("spoofed"); }; Array.prototype.map = () => ["spoofed"];</script>`,
  "/oil": "<title>Oil</title><p>Two litres of it.</p>",
  "/diary": `<title>Diary</title><p>${secrets.diary}</p>`,
  "/thanks": "<title>Thanks</title><p>It is on its way.</p>",
};
