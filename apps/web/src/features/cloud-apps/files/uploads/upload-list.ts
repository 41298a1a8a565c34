const uploadStatuses = ['exists', 'failed', 'running', 'paused', 'waiting', 'done'] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

export type UploadItem = {
  readonly id: number;
  /** Where the file goes. */
  readonly path: string;
  readonly size: number;
  readonly status: UploadStatus;
  readonly sentBytes: number;
  /** Why it failed. */
  readonly text: string | undefined;
};

/** Uploads by their status. A change costs the same however many there are: there may be many thousands. */
export class UploadList {
  bytes = 0;
  sentBytes = 0;
  readonly #items = new Map<number, UploadItem>();
  readonly #ids = {
    ...{ exists: new Set<number>(), failed: new Set<number>(), running: new Set<number>() },
    ...{ paused: new Set<number>(), waiting: new Set<number>(), done: new Set<number>() },
  } satisfies Record<UploadStatus, Set<number>>;

  get(id: number): UploadItem | undefined {
    return this.#items.get(id);
  }

  /** Adds it, or puts it in place of the one with its id. */
  put(item: UploadItem): void {
    const before = this.#items.get(item.id);
    if (before?.status !== item.status) {
      if (before) this.#ids[before.status].delete(item.id);
      this.#ids[item.status].add(item.id);
    }
    this.bytes += item.size - (before?.size ?? 0);
    this.sentBytes += item.sentBytes - (before?.sentBytes ?? 0);
    this.#items.set(item.id, item);
  }

  delete(id: number): void {
    const item = this.#items.get(id);
    if (!item) return;
    this.#items.delete(id);
    this.#ids[item.status].delete(id);
    this.bytes -= item.size;
    this.sentBytes -= item.sentBytes;
  }

  get count(): number {
    return this.#items.size;
  }

  counts(): Record<UploadStatus, number> {
    const { exists, failed, running, paused, waiting, done } = this.#ids;
    return {
      ...{ exists: exists.size, failed: failed.size, running: running.size },
      ...{ paused: paused.size, waiting: waiting.size, done: done.size },
    };
  }

  /** In the order in which they got their status. */
  idsWith(status: UploadStatus): ReadonlySet<number> {
    return this.#ids[status];
  }

  /** All of them; first those that want something of the user. */
  rows(): UploadItem[] {
    const rows: UploadItem[] = [];
    for (const status of uploadStatuses)
      for (const id of this.#ids[status]) {
        const item = this.#items.get(id);
        if (item) rows.push(item);
      }
    return rows;
  }
}
