type UploadStatus = 'waiting' | 'running' | 'paused' | 'exists' | 'failed' | 'done';

export type UploadItem = {
  readonly id: number;
  /** Where the file goes. */
  readonly path: string;
  readonly file: File;
  readonly status: UploadStatus;
  readonly sentBytes: number;
  /** Why it failed. */
  readonly text: string | undefined;
};

export type UploadFailure = { type: 'exists' | 'refused' | 'cut'; text: string };
export type UploadJob = {
  path: string;
  file: File;
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
  /** Deletes what was sent. */
  discard: (resumeId: string) => void;
};

type Hidden = { overwrite: boolean; resumeId: string | undefined; wasCut: boolean; stop: (() => void) | undefined };

/** More share one connection to the target and only delay each other. */
const maxRunning = 2;

/** The uploads of the page. They outlive sessions: with the next one they go on where they were. */
export class UploadQueue {
  #items: readonly UploadItem[] = [];
  readonly #hidden = new Map<number, Hidden>();
  readonly #listeners = new Set<() => void>();
  #transport: UploadTransport | undefined;
  #nextId = 1;
  #finishedCount = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly items = (): readonly UploadItem[] => this.#items;

  /** How many have arrived, also of those that were taken out of the list. */
  readonly finishedCount = (): number => this.#finishedCount;

  /** How files are sent from now on; undefined while there is no session. */
  connect(transport: UploadTransport | undefined): void {
    this.#transport = transport;
    for (const { id, status } of this.#items) {
      const hidden = this.#hiddenOf(id);
      if (status === 'running') this.#stop(hidden);
      if (status === 'running' || (status === 'failed' && hidden.wasCut && transport))
        this.#change(id, { status: 'waiting' });
    }
    this.#fill();
  }

  add(files: readonly { path: string; file: File }[]): void {
    const added = files.map(({ path, file }): UploadItem => {
      const id = this.#nextId++;
      this.#hidden.set(id, { overwrite: false, resumeId: undefined, wasCut: false, stop: undefined });
      return { id, path, file, status: 'waiting', sentBytes: 0, text: undefined };
    });
    this.#show([...this.#items, ...added]);
    this.#fill();
  }

  pause(id: number): void {
    this.#stop(this.#hiddenOf(id));
    this.#change(id, { status: 'paused' });
    this.#fill();
  }

  /** After a pause or a failure. */
  resume(id: number): void {
    this.#change(id, { status: 'waiting', text: undefined });
    this.#fill();
  }

  replaceExisting(id: number): void {
    Object.assign(this.#hiddenOf(id), { overwrite: true, resumeId: undefined });
    this.resume(id);
  }

  /** Takes it out of the list. What was sent of an unfinished one is deleted on the target. */
  remove(id: number): void {
    const item = this.#items.find((each) => each.id === id);
    if (!item) return;
    const hidden = this.#hiddenOf(id);
    this.#stop(hidden);
    if (item.status !== 'done' && hidden.resumeId !== undefined) this.#transport?.discard(hidden.resumeId);
    this.#hidden.delete(id);
    this.#show(this.#items.filter((each) => each.id !== id));
    this.#fill();
  }

  #fill(): void {
    const transport = this.#transport;
    if (!transport) return;
    let room = maxRunning - this.#items.filter(({ status }) => status === 'running').length;
    for (const item of this.#items) {
      if (room <= 0) return;
      if (item.status !== 'waiting') continue;
      room--;
      this.#change(item.id, { status: 'running', text: undefined });
      this.#begin(item, this.#hiddenOf(item.id), transport);
    }
  }

  #begin({ id, path, file }: UploadItem, hidden: Hidden, transport: UploadTransport): void {
    const { overwrite, resumeId } = hidden;
    hidden.stop = transport.start(
      { path, file, overwrite, resumeId },
      {
        onBegun: (begun) => {
          hidden.resumeId = begun;
        },
        onProgress: (sentBytes) => this.#change(id, { sentBytes }),
        onDone: () => {
          this.#finishedCount++;
          this.#finish(id, { status: 'done', sentBytes: file.size });
        },
        onFailed: ({ type, text }) => {
          hidden.wasCut = type === 'cut';
          this.#finish(id, { status: type === 'exists' ? 'exists' : 'failed', text });
        },
      },
    );
  }

  #finish(id: number, change: Partial<UploadItem>): void {
    const hidden = this.#hidden.get(id);
    if (!hidden) return;
    hidden.stop = undefined;
    this.#change(id, change);
    this.#fill();
  }

  #stop(hidden: Hidden): void {
    hidden.stop?.();
    hidden.stop = undefined;
  }

  #hiddenOf(id: number): Hidden {
    const hidden = this.#hidden.get(id);
    if (!hidden) throw new Error(`no upload ${id}`);
    return hidden;
  }

  #change(id: number, change: Partial<UploadItem>): void {
    this.#show(this.#items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }

  #show(items: readonly UploadItem[]): void {
    this.#items = items;
    for (const listener of this.#listeners) listener();
  }
}
