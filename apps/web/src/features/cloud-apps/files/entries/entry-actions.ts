import type { FileEntry } from '@tongtu/contract';

/** What can be done with entries of the shown folder. */
export type EntryActions = {
  open: (entry: FileEntry) => void;
  /** To the folder above. */
  leave: () => void;
  download: (entries: readonly FileEntry[]) => void;
  rename: (entry: FileEntry) => void;
  move: (entries: readonly FileEntry[]) => void;
  copy: (entries: readonly FileEntry[]) => void;
  remove: (entries: readonly FileEntry[]) => void;
};
