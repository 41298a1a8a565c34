/**
 * A text from somebody else, as it may stand in a message: no mail program and no chat app makes a link or formatted text
 * of any part of it. These programs look for `://`, for `www.` and for names with a dot (`evil.example`, `恶意.公司`), and
 * some for Markdown or HTML. Dots get brackets (`evil(.)example`), which people still read; those inside of numbers stay,
 * unless they are an IP address.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/[<>[\]]/g, (sign) => fullWidth[sign] ?? sign)
    .replaceAll(/:(?=\/\/)/g, '(:)')
    .replaceAll(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g, (address) => address.replaceAll('.', '(.)'))
    .replaceAll(dotInName, '($&)')
    .replaceAll(/(?<=[\p{L}\p{N}_+-])@(?=[\p{L}\p{N}])/gu, '(@)');
}

const fullWidth: Record<string, string> = { '<': '＜', '>': '＞', '[': '［', ']': '］' };

/** Before a letter, or behind one and before a digit; also the other dots of domain names (UTS 46), beside Latin. */
const dotInName = /(?<=[^\s.])\.(?=\p{L})|(?<=[\p{L}\p{M}_-])\.(?=\p{N})|(?<=[\w-])[。．｡](?=\w)/gu;
