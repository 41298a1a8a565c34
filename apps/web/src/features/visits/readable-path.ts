import { hasHiddenCharacters } from '@tongtu/contract/hidden-characters';

/** `/照片` of `/%E7%85%A7%E7%89%87`; unchanged where that would be ambiguous, invalid or hide something. */
export function readablePath(path: string): string {
  try {
    const decoded = decodeURI(path);
    return hasHiddenCharacters(decoded) ? path : decoded;
  } catch {
    return path;
  }
}
