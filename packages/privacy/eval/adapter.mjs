// For harnesses that score a function from text to text: the filter at level `filtered`, for which the targets are stated.
import { redactText } from "../dist/index.js";

export const filtered = (text) => redactText(text, "filtered");
