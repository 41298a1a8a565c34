import { parentPath } from '../folder-path.ts';
import { TargetFolders } from './target-folders.ts';
import { type UploadItem, UploadList, type UploadStatus } from './upload-list.ts';
import { unreadable } from './upload-failure.ts';
import { UploadSpeed } from './upload-speed.ts';
import type { UploadFailure, UploadJob, UploadTransport } from './upload-transport.ts';

/** What is chosen at a time, with where it goes on the target. */
export type ChosenUploads = {
  files: readonly { path: string; file: File; size: number }[];
  /** Without anything in them. */
  emptyFolders?: readonly string[];
  /** What the browser does not hand out. */
  unreadable?: readonly string[];
};

type Source = { type: 'file'; file: File; size: number } | { type: 'folder' } | { type: 'unreadable' };
/** What was chosen at a time. `whenExists` is the answer for all of it that is there already. */
type Choice = { folders: TargetFolders; whenExists: 'ask' | 'replace' | 'skip' };
type Hidden = {
  source: Source;
  choice: Choice;
  overwrite: boolean;
  resumeId: string | undefined;
  stop: (() => void) | undefined;
  /** How often the gateway has said that the way to the target was lost. */
  answeredCuts: number;
};

type Reading = { found: number; waitsForLogin: boolean };

/** What is shown of the queue beside its rows. */
export type UploadView = {
  count: number;
  counts: Record<UploadStatus, number>;
  bytes: number;
  sentBytes: number;
  bytesPerSecond: number;
  /** The connection is lost; it is tried again by itself. */
  isCut: boolean;
  /** How many files were found in what is being read now, or waits until the login has succeeded. */
  found: number | undefined;
  /** All of it was read. */
  waitsForLogin: boolean;
};

/** Large files share one connection to the target: more of them only delay each other. */
const LARGE_AT_ONCE = 2;
/** Of small ones each waits for answers of the target. A browser opens six connections to a host. */
const SMALL_AT_ONCE = 6;
const SMALL_BYTES_AT_ONCE = 1024 * 1024;
/** Of the list, which costs as much as some uploads of small files. */
const PUBLISH_EVERY_MS = 200;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** After so many it is the file, not the way. */
const MAX_ANSWERED_CUTS = 4;

export type UploadClock = { monotonicMs: () => number; after: (delayMs: number, run: () => void) => () => void };

const browserClock: UploadClock = {
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * The uploads of the page. They outlive sessions: with the next one they go on where they were. What listeners see changes
 * at once when the user does something, and otherwise a few times a second, however many files arrive.
 */
export class UploadQueue {
  readonly #clock: UploadClock;
  readonly #list = new UploadList();
  readonly #hidden = new Map<number, Hidden>();
  /** Waiting ones that had begun: they come first. */
  readonly #interrupted = new Set<number>();
  readonly #listeners = new Set<() => void>();
  readonly #speed = new UploadSpeed();
  #changedFolders = new Set<string>();
  #transport: UploadTransport | undefined;
  #nextId = 1;
  #runningBytes = 0;
  #isCut = false;
  #retryMs = FIRST_RETRY_MS;
  #stopRetry: (() => void) | undefined;
  readonly #readings = new Set<Reading>();
  #view: UploadView;
  #rows: readonly UploadItem[] | undefined;
  #stopPublish: (() => void) | undefined;

  constructor(clock: UploadClock = browserClock) {
    this.#clock = clock;
    this.#view = this.#newView();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until something has changed. */
  readonly view = (): UploadView => this.#view;

  /** All uploads as of the view; first those that want something of the user. */
  rows(): readonly UploadItem[] {
    this.#rows ??= this.#list.rows();
    return this.#rows;
  }

  readonly isBusy = (): boolean => {
    const { waiting, running, paused } = this.#view.counts;
    return waiting + running + paused > 0 || this.#view.found !== undefined;
  };

  /** Whether something of it would never arrive if the page were closed now. */
  readonly isUnfinished = (): boolean => this.isBusy() || this.#view.counts.exists + this.#view.counts.failed > 0;

  /** The folders in which something has arrived since this was last asked. */
  takeChangedFolders(): ReadonlySet<string> {
    const folders = this.#changedFolders;
    this.#changedFolders = new Set();
    return folders;
  }

  /** How files are sent from now on; undefined while there is no session. */
  connect(transport: UploadTransport | undefined): void {
    this.#transport = transport;
    this.#endCut();
    for (const id of [...this.#list.idsWith('running')]) this.#interrupt(id);
    this.#fill();
    this.#publish();
  }

  /** Shows what is being read before it is added: how many files were found so far, until `end`. */
  showReading(): { found: (count: number) => void; waitForLogin: () => void; end: () => void } {
    const reading: Reading = { found: 0, waitsForLogin: false };
    this.#readings.add(reading);
    return {
      found: (count) => {
        reading.found = count;
        this.#publishSoon();
      },
      waitForLogin: () => {
        reading.waitsForLogin = true;
        this.#publish();
      },
      end: () => {
        this.#readings.delete(reading);
        this.#publish();
      },
    };
  }

  add({ files, emptyFolders = [], unreadable = [] }: ChosenUploads, base: string): void {
    const choice: Choice = { folders: new TargetFolders(base), whenExists: 'ask' };
    for (const path of unreadable) this.#add(path, { type: 'unreadable' }, choice);
    for (const { path, ...file } of files) this.#add(path, { type: 'file', ...file }, choice);
    for (const path of emptyFolders) this.#add(path, { type: 'folder' }, choice);
    this.#fill();
    this.#publish();
  }

  pause(id: number): void {
    this.#pause(id);
    this.#fill();
    this.#publish();
  }

  pauseAll(): void {
    for (const status of ['waiting', 'running'] as const)
      for (const id of [...this.#list.idsWith(status)]) this.#pause(id);
    this.#publish();
  }

  /** After a pause or a failure. */
  resume(id: number): void {
    this.#resume([id]);
  }

  resumeAll(status: 'paused' | 'failed'): void {
    this.#resume([...this.#list.idsWith(status)]);
  }

  /** Does not wait until the connection is tried again by itself. */
  retryNow(): void {
    this.#stopRetry?.();
    this.#stopRetry = undefined;
    this.#fill();
  }

  replaceExisting(id: number): void {
    const hidden = this.#hidden.get(id);
    if (hidden) Object.assign(hidden, { overwrite: true, resumeId: undefined });
    this.resume(id);
  }

  /** Also those that turn out to exist later, but not those that are chosen later. */
  answerExisting(answer: 'replace' | 'skip'): void {
    for (const { choice } of this.#hidden.values()) choice.whenExists = answer;
    for (const id of [...this.#list.idsWith('exists')]) this.#answerExisting(id, answer);
    this.#fill();
    this.#publish();
  }

  /** Takes it out of the list. What was sent of an unfinished one is deleted on the target. */
  remove(id: number): void {
    this.#remove(id);
    this.#fill();
    this.#publish();
  }

  /** Takes out all that are not done, or all. */
  removeAll(which: 'unfinished' | 'all'): void {
    for (const { id, status } of this.#list.rows()) if (which === 'all' || status !== 'done') this.#remove(id);
    this.#publish();
  }

  #resume(ids: readonly number[]): void {
    for (const id of ids) {
      const hidden = this.#hidden.get(id);
      if (hidden) hidden.answeredCuts = 0;
      hidden?.choice.folders.forget();
      this.#wait(id);
    }
    this.retryNow();
    this.#publish();
  }

  #add(path: string, source: Source, choice: Choice): void {
    const id = this.#nextId++;
    const hidden = { overwrite: false, resumeId: undefined, stop: undefined, answeredCuts: 0 };
    this.#hidden.set(id, { source, choice, ...hidden });
    const size = source.type === 'file' ? source.size : 0;
    this.#list.put({ id, path, size, status: 'waiting', sentBytes: 0, text: undefined });
  }

  #fill(): void {
    const transport = this.#transport;
    if (!transport || this.#stopRetry) return;
    for (;;) {
      const [id] = this.#interrupted.size > 0 ? this.#interrupted : this.#list.idsWith('waiting');
      const item = id === undefined ? undefined : this.#list.get(id);
      const hidden = id === undefined ? undefined : this.#hidden.get(id);
      if (!item || !hidden || !this.#hasRoomFor(item)) return;
      this.#interrupted.delete(item.id);
      this.#change(item.id, { status: 'running', text: undefined });
      this.#begin(item, hidden, transport);
    }
  }

  #hasRoomFor({ size }: UploadItem): boolean {
    const running = this.#list.idsWith('running').size;
    if (this.#isCut) return running === 0; // one finds out whether the way is there again
    if (running < LARGE_AT_ONCE) return true;
    return running < SMALL_AT_ONCE && this.#runningBytes + size <= SMALL_BYTES_AT_ONCE;
  }

  #begin({ id, path }: UploadItem, hidden: Hidden, transport: UploadTransport): void {
    const { source, choice } = hidden;
    if (source.type === 'unreadable') return this.#fail(id, unreadable);
    let isStopped = false;
    let stop: (() => void) | undefined;
    hidden.stop = () => {
      isStopped = true;
      stop?.();
    };
    const send = (): void => {
      if (source.type === 'folder') return this.#arrive(id);
      stop = this.#start(id, { path, file: source.file, size: source.size }, hidden, transport);
    };
    const made = choice.folders.ensure(source.type === 'folder' ? path : parentPath(path), async (folder) => {
      const failure = await transport.createFolder(folder);
      if (failure === undefined) this.#changedFolders.add(parentPath(folder));
      return failure;
    });
    if (!made) return send();
    void made.then((failure) => {
      if (isStopped) return;
      if (failure) this.#fail(id, failure);
      else send();
    });
  }

  #start(
    id: number,
    file: Pick<UploadJob, 'path' | 'file' | 'size'>,
    hidden: Hidden,
    transport: UploadTransport,
  ): () => void {
    if (hidden.choice.whenExists === 'replace') hidden.overwrite = true;
    const { overwrite, resumeId } = hidden;
    return transport.start(
      { ...file, overwrite, resumeId },
      {
        onBegun: (begun) => {
          hidden.resumeId = begun;
          this.#goOn();
        },
        onProgress: (sentBytes) => this.#change(id, { sentBytes }),
        onDone: () => this.#arrive(id),
        onFailed: (failure) => this.#fail(id, failure),
      },
    );
  }

  #arrive(id: number): void {
    const item = this.#list.get(id);
    const hidden = this.#hidden.get(id);
    if (!item || !hidden) return;
    hidden.stop = undefined;
    this.#changedFolders.add(parentPath(item.path));
    this.#change(id, { status: 'done', sentBytes: item.size });
    this.#goOn();
  }

  #fail(id: number, { type, text, isAnswered = false }: UploadFailure): void {
    const hidden = this.#hidden.get(id);
    if (!hidden) return;
    hidden.stop = undefined;
    if (type === 'cut') {
      if (isAnswered && ++hidden.answeredCuts > MAX_ANSWERED_CUTS) this.#change(id, { status: 'failed', text });
      // Behind the others, so that one of them finds out whether it was the file.
      else if (isAnswered) this.#change(id, { status: 'waiting' });
      else this.#interrupt(id);
      return this.#waitForConnection();
    }
    const isExisting = type === 'exists' && !hidden.overwrite; // a folder is not replaced by a file
    this.#change(id, { status: isExisting ? 'exists' : 'failed', sentBytes: 0, text });
    const { whenExists } = hidden.choice;
    if (isExisting && whenExists !== 'ask') this.#answerExisting(id, whenExists);
    this.#goOn();
  }

  #answerExisting(id: number, answer: 'replace' | 'skip'): void {
    if (answer === 'skip') return this.#remove(id);
    const hidden = this.#hidden.get(id);
    if (hidden) Object.assign(hidden, { overwrite: true, resumeId: undefined });
    this.#wait(id);
  }

  #waitForConnection(): void {
    this.#isCut = true;
    this.#speed.reset();
    this.#stopRetry ??= this.#clock.after(this.#retryMs, () => this.retryNow());
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  /** The target has answered. */
  #goOn(): void {
    this.#endCut();
    this.#fill();
  }

  #endCut(): void {
    this.#stopRetry?.();
    this.#stopRetry = undefined;
    this.#isCut = false;
    this.#retryMs = FIRST_RETRY_MS;
  }

  #interrupt(id: number): void {
    this.#stop(id);
    this.#change(id, { status: 'waiting' });
    this.#interrupted.add(id);
  }

  #wait(id: number): void {
    this.#change(id, { status: 'waiting', text: undefined });
    if (this.#hidden.get(id)?.resumeId !== undefined) this.#interrupted.add(id);
  }

  #pause(id: number): void {
    this.#stop(id);
    this.#interrupted.delete(id);
    this.#change(id, { status: 'paused' });
  }

  #remove(id: number): void {
    const item = this.#list.get(id);
    if (!item) return;
    this.#stop(id);
    const resumeId = this.#hidden.get(id)?.resumeId;
    if (item.status !== 'done' && resumeId !== undefined) this.#transport?.discard(resumeId);
    if (item.status === 'running') this.#runningBytes -= item.size;
    this.#interrupted.delete(id);
    this.#hidden.delete(id);
    this.#list.delete(id);
    this.#publishSoon();
  }

  #stop(id: number): void {
    const hidden = this.#hidden.get(id);
    hidden?.stop?.();
    if (hidden) hidden.stop = undefined;
  }

  #change(id: number, change: Partial<UploadItem>): void {
    const before = this.#list.get(id);
    if (!before) return;
    const item = { ...before, ...change };
    if (before.status === 'running') this.#runningBytes -= before.size;
    if (item.status === 'running') this.#runningBytes += item.size;
    this.#list.put(item);
    this.#publishSoon();
  }

  #publishSoon(): void {
    this.#stopPublish ??= this.#clock.after(PUBLISH_EVERY_MS, () => this.#publish());
  }

  #publish(): void {
    this.#stopPublish?.();
    this.#stopPublish = undefined;
    this.#rows = undefined;
    this.#view = this.#newView();
    for (const listener of this.#listeners) listener();
  }

  #newView(): UploadView {
    const counts = this.#list.counts();
    const { bytes, sentBytes, count } = this.#list;
    if (counts.running > 0) this.#speed.add({ atMs: this.#clock.monotonicMs(), bytes: sentBytes });
    else this.#speed.reset();
    const { bytesPerSecond } = this.#speed;
    const readings = [...this.#readings];
    const found = readings.length === 0 ? undefined : readings.reduce((sum, each) => sum + each.found, 0);
    const waitsForLogin = readings.length > 0 && readings.every((each) => each.waitsForLogin);
    return { count, counts, bytes, sentBytes, bytesPerSecond, isCut: this.#isCut, found, waitsForLogin };
  }
}
