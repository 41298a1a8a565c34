import { FileError } from '../file-system.ts';

type PathFailure = { path: string; error: FileError };

const MAX_KEPT = 100;

/** What of a long operation failed, while the rest of it went on. */
export class Failures {
  count = 0;
  readonly first: PathFailure[] = [];

  /** Throws what is no matter of this one path, such as a lost connection. */
  add(path: string, error: unknown): void {
    if (!(error instanceof FileError)) throw error;
    this.count++;
    if (this.first.length < MAX_KEPT) this.first.push({ path, error });
  }
}
