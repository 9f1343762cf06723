/** The page's whole style sheet: readable without a network font, in the light and the dark, from 320 px up. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --raised: #ffffff; --sunken: #f1f2f4; --ink: #1d232b; --soft: #5a6572; --line: #dcdfe4;
  --link: #0b5cad; --get: #0b6b3a; --post: #7a4a00; --delete: #a3191c; --key: #0b5cad; --str: #0b6b3a; --code: #f1f2f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1b1f25; --sunken: #20252c; --ink: #e4e7eb; --soft: #a2acb8; --line: #333a44;
    --link: #7db8ff; --get: #6fd39b; --post: #f0b964; --delete: #ff8f8a; --key: #8cc0ff; --str: #8fd9ae; --code: #252b33;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code, li code, dd code, h3 code { background: var(--code); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.5rem; margin-top: 3.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.2rem; margin-top: 2rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
h5 { font-size: 0.875rem; margin: 1rem 0 0.25rem; color: var(--soft); }
p, ul { margin: 0.5rem 0; max-width: 42rem; }
ul { padding-left: 1.25rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--raised); padding: 0.5rem 1rem; z-index: 1; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 90rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; font-size: 0.9rem; }
nav .group { font-size: 0.8rem; color: var(--soft); margin: 1.25rem 0 0.25rem; font-weight: 600; text-transform: uppercase; letter-spacing: 0.05em; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.25rem 0.5rem; border-radius: 5px; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--sunken); }
nav summary { padding: 0.25rem 0; }
main { padding: 2rem 2rem 6rem; min-width: 0; }
.lead { font-size: 1.1rem; color: var(--soft); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; }
.route { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
.route code { font-size: 1rem; overflow-wrap: anywhere; }
.method { font: 600 0.7rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; border: 1px solid currentColor; border-radius: 4px; padding: 0 0.35rem; flex: none; }
nav .method { min-width: 3.6rem; text-align: center; }
.get { color: var(--get); } .post, .put { color: var(--post); } .delete { color: var(--delete); }
.operation { margin-top: 2.5rem; }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }
.type, .note { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.required { color: var(--delete); font-size: 0.8rem; font-weight: 600; }
.bounds { color: var(--soft); font-size: 0.875rem; }
.fields { margin: 0.5rem 0; border-top: 1px solid var(--line); }
.field { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
.field dt { display: flex; flex-wrap: wrap; gap: 0 0.6rem; align-items: baseline; }
.field .name { font-weight: 600; overflow-wrap: anywhere; }
.field dd { margin: 0; }
.field dd p, .field dd ul { margin: 0.2rem 0; }
.field .fields { margin-left: 1rem; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; padding: 0.25rem 0; color: var(--link); }
.answer { border: 1px solid var(--line); border-radius: 6px; background: var(--raised); padding: 0 0.75rem; }
.answer[open] { padding-bottom: 0.75rem; }
.answer > summary { color: inherit; padding: 0.5rem 0; }
.status { font-weight: 700; margin-right: 0.25rem; }
.s2 { color: var(--get); } .s4 { color: var(--post); } .s5 { color: var(--delete); }
.box { position: relative; }
.box pre { padding-top: 2.25rem; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; margin: 0.5rem 0; overflow: auto; max-height: 32rem; }
.key { color: var(--key); } .str { color: var(--str); }
.copy { position: absolute; top: 0.4rem; right: 0.4rem; font: 0.8rem system-ui, sans-serif; color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: 5px; padding: 0.2rem 0.6rem; cursor: pointer; }
.copy:hover { border-color: var(--soft); }
@media (min-width: 80rem) {
  .operation .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); }
  .try pre { max-height: 70vh; }
  .try { grid-column: 2; grid-row: 1 / span 2; }
  .try > .box, .try > pre { position: sticky; top: 1rem; }
}
@media (max-width: 55rem) {
  .page { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: none; padding: 1rem; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1rem 4rem; }
  h1 { font-size: 1.6rem; }
}
@media print { nav, .copy { display: none; } .page { display: block; } }
`;
