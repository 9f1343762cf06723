// Entry for the evaluation script: the filter at level `filtered`, the level the targets are stated for.
import { redactText } from "../dist/index.js";

export const filtered = (text) => redactText(text, "filtered");
