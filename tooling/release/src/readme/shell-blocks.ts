/** A block of shell commands in a Markdown text. */
export interface ShellBlock {
  /** Line of the block's first command, counted from 1. */
  line: number;
  /** The commands as written, without prompts, comments and blank lines; one that is continued over lines is one command. */
  commands: readonly string[];
}

/**
 * The blocks fenced as `sh`, in the order they stand. Other fences show something; they are not run.
 * @throws Error that names the line of a block that is never closed, ends inside a command, or uses a here-document
 */
export function shellBlocks(markdown: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  let fence: string | undefined;
  let opened: { line: number; text: string[] } | undefined;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const [, mark, language] = /^\s*(`{3,})\s*(\S*)/.exec(line) ?? [];
    if (fence === undefined && mark !== undefined) {
      fence = mark;
      if (language === "sh") opened = { line: index + 2, text: [] };
    } else if (fence !== undefined && mark === fence && language === "") {
      if (opened !== undefined) blocks.push({ line: opened.line, commands: commandsOf(opened.text, opened.line) });
      fence = undefined;
      opened = undefined;
    } else {
      opened?.text.push(line);
    }
  }
  if (opened !== undefined) throw new Error(`The block at line ${opened.line} is never closed.`);
  return blocks;
}

function commandsOf(lines: readonly string[], firstLine: number): string[] {
  const commands: string[] = [];
  let begun = "";
  for (const line of lines) {
    if (/<<[-~]?\s*['"]?\w/.test(line))
      throw new Error(`The block at line ${firstLine} uses a here-document: write a file in docs/ instead.`);
    if (begun === "" && /^\s*(?:#|$)/.test(line)) continue;
    begun += begun === "" ? line.trim() : `\n${line}`;
    if (isUnfinished(begun)) continue;
    commands.push(begun);
    begun = "";
  }
  if (begun !== "") throw new Error(`The block at line ${firstLine} ends inside a command.`);
  return commands;
}

/** Whether a shell would ask for another line: a quote is open, or the last line is continued. */
function isUnfinished(command: string): boolean {
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const sign = command[at] ?? "";
    if (sign === "\\" && quote !== "'") {
      at++;
      if (at >= command.length) return true;
    } else if (quote === "" && (sign === "'" || sign === '"')) quote = sign;
    else if (sign === quote) quote = "";
  }
  return quote !== "";
}
