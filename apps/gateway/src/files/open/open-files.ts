import type { NameEncoding, TargetLogin } from '@tongtu/contract';
import { type LiveSession, TargetError } from '../../session/live-session.ts';
import type { FileSystem } from '../file-system.ts';
import { openFileSystem, type TypedCredentials } from './open-file-system.ts';

/** The files of one session: its connection to the target, opened when needed and again when it was lost. */
export class OpenFiles {
  readonly session: LiveSession;
  #typed: TypedCredentials = {};
  #trustedHostKey: string | undefined;
  #fileSystem: Promise<FileSystem> | undefined;

  constructor(session: LiveSession) {
    this.session = session;
    session.signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** How the target's disk writes names. */
  get nameEncoding(): NameEncoding {
    return this.session.facts.options.name_encoding;
  }

  /** Logs in anew, also with what the user has typed now. */
  async connect({ trust_host_key: trustedHostKey, ...typed }: TargetLogin): Promise<FileSystem> {
    this.#close();
    this.#typed = { ...this.#typed, ...typed };
    this.#trustedHostKey = trustedHostKey;
    return await this.fileSystem();
  }

  async fileSystem(): Promise<FileSystem> {
    this.session.signal.throwIfAborted();
    const current = this.#fileSystem;
    if (current !== undefined && (await mustReopen(current)) && this.#fileSystem === current)
      this.#fileSystem = undefined;
    this.#fileSystem ??= openFileSystem(this.session, this.#typed, this.#trustedHostKey);
    const opened = await this.#fileSystem;
    if (this.session.signal.aborted) opened.close();
    this.session.signal.throwIfAborted();
    return opened;
  }

  #close(): void {
    const current = this.#fileSystem;
    this.#fileSystem = undefined;
    current?.then(
      (opened) => opened.close(),
      () => {}, // there is nothing to close
    );
  }
}

/** A refused login is not tried again by itself: targets lock accounts out. */
async function mustReopen(current: Promise<FileSystem>): Promise<boolean> {
  return await current.then(
    (opened) => opened.isClosed,
    (error: unknown) => error instanceof TargetError && error.code !== 'login-failed',
  );
}
