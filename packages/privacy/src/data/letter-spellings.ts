/** Letters that Unicode does not take apart, as people write them without their own key. */
export const spelled: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ı: "i",
  İ: "i",
  ø: "o\u0338",
  ł: "l\u0335",
  đ: "d\u0335",
  ð: "d\u0335",
  ħ: "h\u0335",
};
