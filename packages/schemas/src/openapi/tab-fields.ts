/** Texts of the fields of `tabMetadata` that a sender may leave out and that have no default. */
export const optionalTabFields = {
  incognito: "Whether the window is private. Private windows are never stored (`privacy_rejected`).",
  pinned: "Whether the tab is pinned.",
  audible: "Whether the tab plays audio.",
  referrer: { description: "Address of the page that linked here.", examples: ["https://www.sqlite.org/docs.html"] },
  favIconUrl: { description: "Address of the page's icon.", examples: ["https://www.sqlite.org/favicon.ico"] },
  openerTabId: { description: "Identifier of the tab that opened this one.", examples: ["tab_41"] },
  lang: { description: "Language of the page, as a BCP 47 tag.", examples: ["en"] },
};
