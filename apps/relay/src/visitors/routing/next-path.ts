const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/** The target after a verification: a path of the same host, or `/` for any other text. */
export function nextPath(text: string | null): string {
  return text !== null && text.length <= 8192 && PATH.test(text) ? text : '/';
}
