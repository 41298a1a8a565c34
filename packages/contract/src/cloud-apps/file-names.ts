/** What the file manager and the gateway agree on without a library, so that the browser can load it. */

export const MAX_FILE_PATH_LENGTH = 4_096;
/** Of one call. */
export const MAX_PATHS = 1_000;
/** Text of this size can be edited (`PUT content`). */
export const MAX_EDITED_BYTES = 5 * 1024 * 1024;

/** A name inside a folder. What is no name for any target is refused: it would lead elsewhere. */
export function isPossibleName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0\ufffd]/.test(name) && name.isWellFormed();
}
