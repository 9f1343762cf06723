/** An event of the browser. */
interface Event<Given extends unknown[]> {
  addListener(call: (...given: Given) => void): void;
}

/** Registers what is done at each event, which takes its time. To be called in the first turn of a worker. */
export function whenever<Given extends unknown[]>(event: Event<Given>, act: (...given: Given) => Promise<void>): void {
  event.addListener((...given) => void act(...given));
}
