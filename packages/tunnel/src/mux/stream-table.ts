import { MuxClosedError, ProtocolError, TooManyStreamsError } from '../errors.ts';
import { FIRST_WINDOW_BYTES } from './flow-control.ts';
import { MAX_STREAM_ID } from './frame.ts';
import { PeerIds } from './peer-ids.ts';
import type { YamuxStream } from './stream.ts';

/** The open streams of a mux, the next ids, and how many bytes may still arrive for closed streams. */
export class StreamTable {
  readonly #streams = new Map<number, YamuxStream>();
  readonly #peerIds: PeerIds;
  readonly #maxStreams: number;
  /** Clients open odd ids, servers even ones. */
  #nextOwnId: number;
  #ownCount = 0;
  /** Bytes that the peer may have sent before it received our resets. */
  #strayCreditBytes = 0;

  constructor(role: 'client' | 'server', maxStreams: number) {
    this.#nextOwnId = role === 'client' ? 1 : 2;
    this.#peerIds = new PeerIds(role === 'client' ? 2 : 1);
    this.#maxStreams = maxStreams;
  }

  get size(): number {
    return this.#streams.size;
  }

  get isFullForPeer(): boolean {
    return this.#streams.size - this.#ownCount >= this.#maxStreams;
  }

  get(id: number): YamuxStream | undefined {
    return this.#streams.get(id);
  }

  /** Returns an id for an own stream. Throws TooManyStreamsError, or MuxClosedError when all ids were used. */
  takeOwnId(): number {
    if (this.#ownCount >= this.#maxStreams) throw new TooManyStreamsError(`${this.#ownCount} streams are open`);
    if (this.#nextOwnId > MAX_STREAM_ID) throw new MuxClosedError('all stream ids were used');
    const id = this.#nextOwnId;
    this.#nextOwnId += 2;
    return id;
  }

  /** Throws ProtocolError when the peer may not open this id, or has done so before. */
  usePeerId(id: number): void {
    if (this.#isOwn(id) || !this.#peerIds.use(id)) throw new ProtocolError(`stream ${id} opened`);
  }

  add(stream: YamuxStream): void {
    this.#streams.set(stream.id, stream);
    if (this.#isOwn(stream.id)) this.#ownCount += 1;
  }

  remove(stream: YamuxStream): void {
    if (this.#streams.delete(stream.id) && this.#isOwn(stream.id)) this.#ownCount -= 1;
  }

  /** Removes all streams and returns them. */
  clear(): YamuxStream[] {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    this.#ownCount = 0;
    return streams;
  }

  /** Called when we reset a stream on which the peer could still send this much. */
  expectStray(bytes = FIRST_WINDOW_BYTES): void {
    this.#strayCreditBytes += bytes;
  }

  /** Throws ProtocolError when more arrives for closed streams than was in flight. */
  reserveStray(streamId: number, bytes: number): void {
    this.#strayCreditBytes -= bytes;
    if (this.#strayCreditBytes < 0) throw new ProtocolError(`${bytes} bytes for stream ${streamId}, which is not open`);
  }

  #isOwn(id: number): boolean {
    return id % 2 === this.#nextOwnId % 2;
  }
}
