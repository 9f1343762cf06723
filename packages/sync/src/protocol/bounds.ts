/**
 * Bounds of a capture, those of the contract. The message as a whole has one of its own, `limits.itemBytes` of the queue, which counts after the
 * filter.
 */
export const captureBounds = {
  idCharsMax: 128,
  urlBytesMax: 8_192,
  titleBytesMax: 2_048,
  contentBytesMax: 1_048_576,
  metadataBytesMax: 16_384,
  /** Of any other text, such as the language. */
  otherCharsMax: 8_192,
} as const;
