const barColumns = 40;

/** Where progress is written: a terminal is redrawn, anything else gets a line at each quarter. */
export interface ProgressOutput {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** A bar over `total` steps; call what it returns with the number of steps done. Ends its own line at `total`. */
export function progressBar(output: ProgressOutput, label: string, total: number): (done: number) => void {
  let quarter = 0;
  const started = performance.now();
  return (done) => {
    const line = `${label} ${progressLine(done, total, (performance.now() - started) / 1_000)}`;
    if (output.isTTY === true) {
      output.write(`\r\u001b[K${line}${done >= total ? "\n" : ""}`);
      return;
    }
    const reached = Math.floor((done / total) * 4);
    if (reached > quarter) output.write(`${line}\n`);
    quarter = Math.max(quarter, reached);
  };
}

/** One state of the bar: under 90 columns. */
function progressLine(done: number, total: number, seconds: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * barColumns);
  const bar = "█".repeat(filled) + "░".repeat(barColumns - filled);
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  return `${bar} ${String(Math.round(share * 100)).padStart(3)} %  ${number(done)} of ${number(total)}  ${number(rate)}/s`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
