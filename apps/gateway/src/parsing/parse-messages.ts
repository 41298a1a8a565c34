import type { AppFailure, DownloadFailure, FileFailure } from '@tongtu/contract';

/** What reads the bytes of a target in a thread, piece by piece. Each piece, and the end, has a result. */
export type Reader = {
  write(bytes: Uint8Array): unknown;
  end(): unknown;
};

/** Each kind has threads of its own, which are started when they are needed. */
export type ReaderKind = 'multistatus' | 'aria2-answer';

export type ToParseThread =
  | { type: 'open'; id: number; options: unknown }
  | { type: 'write'; id: number; bytes: Uint8Array }
  | { type: 'end'; id: number }
  | { type: 'close'; id: number };

export type ParseFailure =
  | { type: 'target'; code: AppFailure }
  | { type: 'file'; code: FileFailure }
  | { type: 'download'; code: DownloadFailure; said: string };

export type FromParseThread = { id: number; value: unknown } | { id: number; failure: ParseFailure };
