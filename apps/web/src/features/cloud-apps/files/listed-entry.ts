import type { FileEntry } from '@tongtu/contract';

/**
 * An entry with its name as the user reads it, where that is another one. `mark` is the encoding of its name, where another
 * entry reads alike.
 */
export type ListedEntry = FileEntry & { text?: string; mark?: string };
