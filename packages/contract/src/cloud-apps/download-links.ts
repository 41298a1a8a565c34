/** What the page of downloads and the gateway agree on without a library, so that the browser can load it. */

/** Of one call. */
export const MAX_LINKS = 100;
export const MAX_LINK_LENGTH = 8_192;
export const MAX_TORRENT_BYTES = 10 * 1024 * 1024;
/** Bytes in a second: 1 TiB/s, above any line. */
export const MAX_SPEED_LIMIT = 2 ** 40;
export const MAX_FOLDER_LENGTH = 500;
/** Files of one download that are listed, and so can be selected. */
export const MAX_LISTED_FILES = 2_000;

/** Whether aria2 can download it. */
export function isDownloadLink(text: string): boolean {
  if (text.length > MAX_LINK_LENGTH || /[\s\p{Cc}]/u.test(text)) return false;
  if (/^magnet:\?/i.test(text)) return /[?&]xt=urn:bt(ih|mh):/i.test(text);
  return /^(https?|ftps?|sftp):\/\/[^/]/i.test(text) && URL.canParse(text);
}

/**
 * Whether it names a folder below the one of aria2: nobody writes elsewhere with what the app has stored. Empty: the
 * folder of aria2 itself.
 */
export function isInnerFolder(folder: string): boolean {
  if (folder === '') return true;
  if (folder.length > MAX_FOLDER_LENGTH || /[\\\p{Cc}]/u.test(folder) || !folder.isWellFormed()) return false;
  return folder.split('/').every((name) => name.trim() !== '' && name !== '.' && name !== '..');
}
