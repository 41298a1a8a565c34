export type MarkdownLine = { number: number; text: string; isTable: boolean; isCode: boolean };
export type MarkdownPage = {
  lines: MarkdownLine[];
  /** What a link may have behind `#`: one for each heading, as GitHub makes them. */
  anchors: ReadonlySet<string>;
  /** The first paragraph below the title. */
  opening: string;
};

/** As much of Markdown as the checks of pages need: headings, tables, and what is code between fences. */
export function readMarkdown(text: string): MarkdownPage {
  const lines: MarkdownLine[] = [];
  const anchors = new Set<string>();
  let fence: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    lines.push({ number: index + 1, text: line, isTable: !isCode && /^\s*\|/.test(line), isCode });
    if (fence === undefined) fence = mark;
    else if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    const heading = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1];
    if (heading !== undefined) addAnchor(anchors, heading);
  }
  const opening = lines.find((line) => line.number > 1 && line.text.trim() !== '')?.text ?? '';
  return { lines, anchors, opening };
}

function addAnchor(anchors: Set<string>, heading: string): void {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const anchor = words.replaceAll(/[^\p{L}\p{M}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
  let unique = anchor;
  for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
  anchors.add(unique);
}
