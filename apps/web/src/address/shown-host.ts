import punycode from 'punycode/punycode.js';

/** With ASCII letters beside them, these strokes pass for a hyphen, a slash, a dot or a zero. */
const strokes = /[一丨丶丿ノー〇]/u;
/** The scripts that may stand in one label, as in Unicode TR39 §5.2, "highly restrictive". */
const eastAsian = [
  /^[a-z0-9\-\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u,
  /^[a-z0-9\-\p{Script=Han}\p{Script=Bopomofo}]+$/u,
  /^[a-z0-9\-\p{Script=Han}\p{Script=Hangul}]+$/u,
];

/**
 * True for labels that nobody takes for another one. Scripts with letters like Latin ones, such as Cyrillic and Greek, are
 * not among them.
 */
function isUnmistakable(label: string): boolean {
  if (!eastAsian.some((letters) => letters.test(label))) return false;
  return !strokes.test(label) || !/[a-z0-9-]/.test(label);
}

function shownLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  try {
    const decoded = punycode.decode(label.slice('xn--'.length));
    // What browsers would not turn into this very label is not shown as if they did.
    const isItself = new URL(`http://${decoded}.test`).hostname === `${label}.test`;
    return isItself && isUnmistakable(decoded) ? decoded : label;
  } catch {
    return label; // punycode that stands for nothing
  }
}

/** A host in its own script, `家.example.com` for `xn--fct.example.com`, where that is safe. For display only. */
export function shownHost(host: string): string {
  return host.split('.').map(shownLabel).join('.');
}

/** The same of an address: `http://家.example.com:8080/`. */
export function shownUrl(url: string): string {
  if (!url.includes('xn--') || !URL.canParse(url)) return url;
  // Of other protocols than http and https, the host is kept as it is written, so it is replaced as text.
  const { hostname } = new URL(url);
  return url.replace(hostname, shownHost(hostname));
}
