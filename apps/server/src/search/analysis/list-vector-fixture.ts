/** A context, and its vector as it was stored before vectors had parts. */
export const listVector = {
  url: "https://example.com/",
  title: "Old papers",
  content: "a word, and the word again; papers",
  base64: "AQAA062TRQICBxoMrMAaBACW2REFCZnSIQQCgqQHBQPG6A8JywGlvhcFAaL7PwUAjvgEBAXa2QMEA57VAgUBkZMkCAED7PgECQgq",
};
