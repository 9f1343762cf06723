/** Creates a PDF (ISO 32000-1) of one page with a line for each text. It has no cross-reference table, which readers do without. */
export function createPdf(title: string, ...lines: readonly string[]): string {
  const text = `BT /F1 18 Tf 10 400 Td ${lines.map((line) => `(${line}) Tj 0 -24 Td`).join(" ")} ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 450]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    `<</Title(${title})/Author(Ada)>>`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj`).join("\n");
  return `%PDF-1.4\n${body}\ntrailer<</Root 1 0 R/Info 6 0 R>>`;
}
