const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/** Where a verified visitor goes on: a path of the same host, or `/` when the text is anything else. */
export function nextPath(text: string | null): string {
  return text !== null && text.length <= 8192 && PATH.test(text) ? text : '/';
}
