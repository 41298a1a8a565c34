/**
 * `cut`: the connection is lost, or the way to the target, so that others would fail as well. `isAnswered`: the gateway
 * says so, and perhaps only of this file.
 */
export type UploadFailure = { type: 'exists' | 'refused' | 'cut'; text: string; isAnswered?: boolean };

export type UploadJob = {
  path: string;
  file: File;
  /** As it was when it was chosen. Each look at the size of a file may ask the disk. */
  size: number;
  overwrite: boolean;
  /** Of an upload that has begun, also in another session. */
  resumeId: string | undefined;
};

export type UploadEvents = {
  onBegun: (resumeId: string) => void;
  onProgress: (sentBytes: number) => void;
  onDone: () => void;
  onFailed: (failure: UploadFailure) => void;
};

export type UploadTransport = {
  /** Begins an upload, or goes on with it. Returns the way to stop it; what was sent stays, and no event follows. */
  start: (job: UploadJob, events: UploadEvents) => () => void;
  /** Undefined when the folder is there, also when it was there before. */
  createFolder: (path: string) => Promise<UploadFailure | undefined>;
  /** Deletes what was sent. */
  discard: (resumeId: string) => void;
};
