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
  for (const [index, line] of lines.entries()) {
    if (/<<[-~]?\s*['"]?\w/.test(line))
      throw new Error(`The block at line ${firstLine} uses a here-document: write a file in docs/ instead.`);
    if (begun === "" && /^\s*(?:#|$)/.test(line)) continue;
    begun += line.trim();
    if (begun.endsWith("\\")) {
      begun = `${begun.slice(0, -1).trimEnd()} `;
      if (index === lines.length - 1) throw new Error(`The block at line ${firstLine} ends inside a command.`);
    } else {
      commands.push(begun);
      begun = "";
    }
  }
  return commands;
}
