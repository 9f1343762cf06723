/** Fails when work on twice as much costs more processor time than work in linear time does. `runLarge` works on twice what `runSmall` does. */
export function expectLinear(runSmall: () => unknown, runLarge: () => unknown): void;
