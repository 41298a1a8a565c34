/** More is not offered to the user, who could not read it. */
const maxBase64Length = 100_000;

/**
 * The text of OSC 52, by which a program at the target sets the clipboard: `c;BASE64`. Undefined for anything else, and
 * for `?`, which asks for the clipboard's content: that is never answered.
 */
export function readClipboardRequest(data: string): string | undefined {
  const separator = data.indexOf(';');
  const encoded = data.slice(separator + 1);
  if (separator < 0 || encoded === '' || encoded === '?' || encoded.length > maxBase64Length) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // neither base64 nor UTF-8
  }
}
