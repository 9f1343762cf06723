import { preset } from "./preset.js";

export default preset({ include: ["*.test.js"] });
