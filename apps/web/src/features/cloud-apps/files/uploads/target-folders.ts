import { parentPath } from '../folder-path.ts';
import type { UploadFailure, UploadTransport } from './upload-transport.ts';

type Create = UploadTransport['createFolder'];

/** The folders that one choice of files needs on the target: each is created once, when something in it is sent. */
export class TargetFolders {
  /** Is there: what was chosen goes into it. */
  readonly #base: string;
  readonly #there = new Set<string>();
  readonly #making = new Map<string, Promise<UploadFailure | undefined>>();
  readonly #refused = new Map<string, UploadFailure>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Undefined when it is known to be there. Otherwise creates it, after those above it. */
  ensure(path: string, create: Create): Promise<UploadFailure | undefined> | undefined {
    if (path === this.#base || this.#there.has(path)) return undefined;
    const refused = this.#refused.get(path);
    if (refused) return Promise.resolve(refused);
    const making = this.#making.get(path) ?? this.#make(path, create);
    this.#making.set(path, making);
    return making;
  }

  /** What was refused is tried again, and what was there may have been deleted since. */
  forget(): void {
    this.#refused.clear();
    this.#there.clear();
  }

  async #make(path: string, create: Create): Promise<UploadFailure | undefined> {
    const failure = (await this.ensure(parentPath(path), create)) ?? (await create(path));
    this.#making.delete(path);
    if (failure === undefined) this.#there.add(path);
    // After a cut it is tried again with the next file in it.
    else if (failure.type !== 'cut') this.#refused.set(path, failure);
    return failure;
  }
}
