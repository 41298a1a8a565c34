import { isDownloadLink, MAX_LINKS } from '@tongtu/contract/download-links';

export type ReadLinks =
  | { type: 'links'; links: string[] }
  | { type: 'none' }
  | { type: 'too-many' }
  /** The number of the first line that is no link, from 1. */
  | { type: 'wrong'; line: number };

/** The links of a text with one in each line. The same one twice counts once. */
export function readLinks(text: string): ReadLinks {
  const lines = text.split('\n').map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== '' && !isDownloadLink(line));
  if (wrong >= 0) return { type: 'wrong', line: wrong + 1 };
  const links = [...new Set(lines.filter(Boolean))];
  if (links.length === 0) return { type: 'none' };
  return links.length > MAX_LINKS ? { type: 'too-many' } : { type: 'links', links };
}
