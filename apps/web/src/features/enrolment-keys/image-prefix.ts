const storageKey = 'tongtu.image-prefix';

/** A host with an optional port and path, without a scheme: it becomes part of a command line. */
const PREFIX = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9][a-z0-9._-]*)*$/u;
const MAX_LENGTH = 200;

/** What was typed or pasted as the address of a mirror; undefined when it is none. Empty: no mirror. */
export function parseImagePrefix(typed: string): string | undefined {
  const prefix = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//u, '')
    .replace(/\/+$/u, '');
  if (prefix === '') return '';
  return prefix.length <= MAX_LENGTH && PREFIX.test(prefix) ? prefix : undefined;
}

/** What the user has typed in this browser. */
export function readImagePrefix(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return ''; // storage may be forbidden; then a reload forgets it
  }
}

export function storeImagePrefix(prefix: string): void {
  try {
    localStorage.setItem(storageKey, prefix);
  } catch {
    // see readImagePrefix
  }
}
