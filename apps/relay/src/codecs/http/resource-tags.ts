/**
 * Maps the resource tags of a WebDAV If field (RFC 4918 §10.4): the URLs in angle brackets outside of its lists. Those
 * within, `(<urn:uuid:…> ["etag"])`, are state tokens. A malformed rest stays unchanged.
 */
export function mapResourceTags(value: string, map: (address: string) => string): string {
  let text = '';
  let from = 0;
  while (from < value.length) {
    const character = value[from];
    let end = from + 1;
    if (character === '(') end = endOfList(value, from);
    else if (character === '<') end = value.indexOf('>', from) + 1;
    if (end === 0) return text + value.slice(from);
    const part = value.slice(from, end);
    text += character === '<' ? `<${map(part.slice(1, -1))}>` : part;
    from = end;
  }
  return text;
}

/** Behind the closing bracket, or 0 without one. Entity tags may contain brackets. */
function endOfList(value: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < value.length; at++) {
    if (value[at] === '"') isQuoted = !isQuoted;
    else if (value[at] === ')' && !isQuoted) return at + 1;
  }
  return 0;
}
