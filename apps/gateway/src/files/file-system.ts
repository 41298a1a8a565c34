import type { FileFailure } from '@tongtu/contract';
import type { SessionMemory } from '../budget/session-memory.ts';
import { FileError } from '../errors/file-error.ts';
export { FileError };

export type EntryType = 'file' | 'folder' | 'link' | 'other';

export type Attributes = { type: EntryType; size: number | null; modifiedAt: Date | null };
export type Entry = Attributes & {
  name: string;
  linkTarget?: 'file' | 'folder' | 'other';
  /** Of the folder on its disk, where the protocol has it: the server may follow links by itself. */
  id?: bigint;
};

export type ReadRange = { start: number; end: number };
/** `total`: the size that the file is going to have, where it is known. */
export type WriteOptions = { start: number; total?: number };
/**
 * `signal`: until when the target may take its time. Without one a rename is expected to be quick. `isNew`: a file that
 * was just written, whose name was free a moment ago unless it may be overwritten: nothing is asked for a second time.
 */
export type RenameOptions = { overwrite: boolean; signal?: AbortSignal; isNew?: boolean };

/**
 * The files of a target, whatever the protocol. Paths are absolute, with `/` between names, and checked by the caller
 * (`FilePath`). Methods fail with a FileError or a TargetError.
 */
export type FileSystem = {
  /** Of its session. */
  readonly memory: SessionMemory;
  /** The folder that is shown first. */
  readonly startPath: string;
  /** The connection has ended; another one must be opened. */
  readonly isClosed: boolean;
  /** All entries but `.` and `..`, in the target's order and as they come, with their `shownName`. */
  list(path: string, options: { withLinkTargets: boolean }): AsyncIterable<readonly Entry[]>;
  /** Of what a link leads to. */
  stat(path: string): Promise<Attributes>;
  /** Of the link itself. */
  statEntry(path: string): Promise<Attributes>;
  /** The bytes from `start` up to, not including, `end`. Fails if the file is shorter. Ends the read when returned. */
  read(path: string, range: ReadRange): AsyncGenerator<Buffer>;
  /**
   * Writes from `start` on what the source has, and creates the file. At `start` 0 it is emptied first. When the source
   * fails, what it had is written and its error is thrown. Returns the offset behind the last byte.
   */
  write(path: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<number>;
  /** How many bytes of an unfinished file can be kept, of `written` ones if that is known. */
  resumeOffset(path: string, written: number | undefined): Promise<number>;
  /** Fails with `exists` if there is a `to`, unless it may be overwritten. */
  rename(from: string, to: string, options: RenameOptions): Promise<void>;
  /**
   * Copies inside the target, which may take as long as it likes until the signal is aborted. Absent, or `not-supported`:
   * the bytes must go through the gateway.
   */
  copyFile?(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** Also deletes links and special files. */
  deleteFile(path: string): Promise<void>;
  /** Fails with `not-empty` if it is not. */
  deleteFolder(path: string): Promise<void>;
  createFolder(path: string): Promise<void>;
  /** Null: the target does not say. */
  freeBytes(path: string): Promise<number | null>;
  close(): void;
};

export function isFileError(error: unknown, ...codes: FileFailure[]): error is FileError {
  return error instanceof FileError && codes.includes(error.code);
}

/** Of one folder: more of them would fill memory. */
export const MAX_ENTRIES = 200_000;
/** No file system has longer ones: most allow 255 bytes, ZFS 1023. */
const MAX_NAME_LENGTH = 1_024;
const SHOWN_OF_LONG_NAME = 255;

/** A name of a target. Of one that is longer than any, the beginning: with a character that no possible name has. */
export function shownName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return Buffer.from(`${name.slice(0, SHOWN_OF_LONG_NAME)}\ufffd`).toString(); // the whole one is not kept by its part
}

/** What an entry takes in memory, with the path that is made of its name. */
export function sizeInMemory({ name }: Pick<Entry, 'name'>): number {
  return 240 + 2 * name.length;
}

export function childPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined for times outside of what a Date can be: they come from the target. */
export function dateOf(epochMs: number): Date | null {
  return Math.abs(epochMs) <= 8.64e15 && epochMs !== 0 ? new Date(epochMs) : null;
}
