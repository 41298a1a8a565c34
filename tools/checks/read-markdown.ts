export type MarkdownLine = { number: number; text: string; kind: 'prose' | 'table' | 'code' };
export type MarkdownPage = {
  lines: MarkdownLine[];
  /** The text without code between fences, with as many lines. */
  prose: string;
  /** What a link may have behind `#`: one for each heading, as GitHub makes them. */
  anchors: ReadonlySet<string>;
  /** The first line of text below the title. */
  opening: string;
};

/** As much of Markdown as the checks of pages need: headings, tables, and code between fences. */
export function readMarkdown(text: string): MarkdownPage {
  const lines: MarkdownLine[] = [];
  const anchors = new Set<string>();
  let fence: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    const kind = kindOf(line, { isCode: fence !== undefined || mark !== undefined });
    lines.push({ number: index + 1, text: line, kind });
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    const heading = kind === 'prose' ? /^#{1,6} (.+)$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) addAnchor(anchors, heading);
  }
  const prose = lines.map((line) => (line.kind === 'code' ? '' : line.text)).join('\n');
  const opening = lines.find((line) => line.number > 1 && line.text.trim() !== '')?.text ?? '';
  return { lines, prose, anchors, opening };
}

function kindOf(line: string, { isCode }: { isCode: boolean }): MarkdownLine['kind'] {
  if (isCode) return 'code';
  return /^\s*\|/.test(line) ? 'table' : 'prose';
}

function addAnchor(anchors: Set<string>, heading: string): void {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const anchor = words.replaceAll(/[^\p{L}\p{M}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
  let unique = anchor;
  for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
  anchors.add(unique);
}
