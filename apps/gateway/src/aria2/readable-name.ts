import { hasByteSigns, nameText, withoutMisreadLatin1 } from '@tongtu/contract';
import { percentDecoded } from '../target-http/percent-names.ts';

/**
 * A name of aria2 as people read it. aria2 writes a torrent's name that is no UTF-8 as `%CE%D2`, and takes a name in a
 * Content-Disposition for Latin-1.
 */
export function readableName(text: string): string {
  const decoded = /%[89A-F][\dA-F]/i.test(text) ? percentDecoded(text) : text;
  if (!hasByteSigns(decoded)) return withoutMisreadLatin1(text);
  // `\xFF` is what is no text in GBK either.
  const readable = nameText(decoded, 'auto');
  return /\\x[89A-F][\dA-F]/.test(readable) ? text : readable;
}
