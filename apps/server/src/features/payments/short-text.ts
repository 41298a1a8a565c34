/**
 * A text for a provider's bill and wallet: at most `maxBytes` in UTF-8, cut between characters, without the characters that
 * Alipay refuses in a subject or that separate the columns of a bill.
 */
export function shortText(text: string, maxBytes: number): string {
  const plain = text.replaceAll(/[\p{Cc}/=&,"'`\\|#]+/gu, ' ').trim();
  let bytes = 0;
  let short = '';
  for (const character of plain) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    short += character;
  }
  return short;
}
