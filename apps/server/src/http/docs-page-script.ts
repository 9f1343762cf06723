/** The page's whole script: a button that copies, on every block of code, where the browser lets a page write to the clipboard. */
export const script = `
if (navigator.clipboard) {
  for (const pre of document.querySelectorAll("pre")) {
    const box = document.createElement("div");
    box.className = "box";
    pre.replaceWith(box);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy: " + pre.getAttribute("aria-label"));
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(pre, button);
  }
}
`;
