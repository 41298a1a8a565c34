import { MuxClosedError, ProtocolError } from '../errors.ts';
import { ReceiveWindow, WindowBudget } from './flow-control.ts';
import { flag, FrameDecoder, type FrameType, frameType, goAwayCode, HEADER_BYTES } from './frame.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { defaultMuxLimits, type MuxLimits, type MuxOptions } from './mux-options.ts';
import { OutputSchedule } from './output-schedule.ts';
import { Pinger } from './pinger.ts';
import { SentBytes } from './sent-bytes.ts';
import { StreamTable } from './stream-table.ts';
import { type MuxStream, type MuxStreamEvents, type StreamOwner, YamuxStream } from './stream.ts';

/** A round trip older than this is measured again when a window is renewed. */
const MAX_RTT_AGE_MS = 10_000;

/** In a transfer a ping measures the line and has the peer confirm, at most after so many bytes, ... */
const PING_EVERY_BYTES = 256 * 1024;
/** ... and so often while as much as may be is in flight, so that the sender goes on steadily. */
const PINGS_PER_LIMIT = 8;

/** What had been sent when a ping was, how much of it was not confirmed, and whether more waited. */
type Flight = { sentBytes: number; inFlightBytes: number; wasBusy: boolean };

/** With so much in flight and more that waits, it is the line that sets the pace, also where more would be allowed. */
const MAX_FILL_BYTES = 256 * 1024;

const UINT32 = 2 ** 32;

/** The events of a stream until `onStream` has returned its own. */
const noEvents: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };

/**
 * Many streams over one connection, in the yamux wire format. Holds no socket and no clock: bytes in, bytes out.
 * The file is long so that the path of every frame can be read in one place. Parts with state are in other files.
 */
export class Mux {
  readonly #options: MuxOptions;
  readonly #limits: MuxLimits;
  readonly #streams: StreamTable;
  readonly #output = new OutputSchedule();
  readonly #decoder: FrameDecoder;
  readonly #pinger: Pinger<Flight>;
  readonly #sent: SentBytes;
  readonly #inFlightLimit = new InFlightLimit();
  readonly #budget: WindowBudget;
  readonly #owner: StreamOwner;
  #lastReceivedAtMs: number;
  #receivedBytes = 0;
  /** How much had been sent at the last ping. */
  #pingedBytes = 0;
  /** Where the payload of the current data frame goes, and the flags that take effect after it. */
  #payloadStream: YamuxStream | undefined;
  #payloadFlags = 0;
  #isOutputAnnounced = false;
  /** Of frames without a stream, less what the peer has confirmed since: they are kept as well, and no window limits them. */
  #unconfirmedUrgentBytes = 0;
  #isGoingAway = false;
  #isPeerGoingAway = false;
  #isClosingWhenSent = false;
  #isClosed = false;

  constructor(options: MuxOptions) {
    this.#options = options;
    this.#limits = { ...defaultMuxLimits, ...options.limits };
    this.#streams = new StreamTable(options.role, this.#limits.maxStreams);
    this.#lastReceivedAtMs = options.monotonicMs();
    this.#budget = new WindowBudget(this.#limits.maxGrownWindowBytes, options.windowBudget);
    this.#sent = new SentBytes({ isKeeping: options.isResumable === true });
    this.#pinger = new Pinger({
      monotonicMs: options.monotonicMs,
      send: () => this.#sendPing(),
      onReply: (rttMs, flight) => this.#onRoundTrip(rttMs, flight),
    });
    this.#decoder = new FrameDecoder({
      onFrame: (type, flags, streamId, length) => this.#onFrame(type, flags, streamId, length),
      onPayload: (slice) => this.#onPayload(slice),
      onPayloadEnd: () => this.#onPayloadEnd(),
    });
    this.#owner = {
      writeHighWaterBytes: this.#limits.writeHighWaterBytes,
      wantTurn: (stream) => this.#wantTurn(stream),
      wantWindowUpdate: (stream) => this.#renewWindow(stream),
      wantUpdateFrame: (stream) => this.#wantUpdateFrame(stream),
      onOwnReset: (stream, options) => this.#onOwnReset(stream, options),
    };
  }

  /** `options.monotonicMs()` when bytes last arrived; at first, when the mux was created. */
  get lastReceivedAtMs(): number {
    return this.#lastReceivedAtMs;
  }

  /** All bytes that `receive` has ever taken. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Bytes that `takeOutput` has returned and the peer is not known to have received. */
  get inFlightBytes(): number {
    return this.#sent.inFlight;
  }

  /** Bytes of streams that wait for room on the line; without those that wait for their reader at the peer. */
  get waitingBytes(): number {
    return this.#output.waitingBytes;
  }

  get isResumable(): boolean {
    return this.#sent.isKeeping;
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The peer has announced that it takes no new streams. */
  get isPeerGoingAway(): boolean {
    return this.#isPeerGoingAway;
  }

  get hasOutput(): boolean {
    return !this.#output.isEmpty;
  }

  /** How many bytes of streams may be sent now, so that the queues on the way to the peer stay short. */
  get roomBytes(): number {
    return Math.max(this.#limitBytes() - this.#sent.inFlight, 0);
  }

  /** The shortest recent round trip; undefined until one was measured. */
  get rttMs(): number | undefined {
    return this.#pinger.rttMs;
  }

  /**
   * Takes bytes of the connection, cut anywhere, and passes on slices of them: the memory must not be reused. Never
   * throws: an error in the bytes or in a callback closes the mux. Must not be called from its own callbacks.
   */
  receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#lastReceivedAtMs = this.#options.monotonicMs();
    this.#receivedBytes += chunk.length;
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      this.close(toError(error));
    }
  }

  /**
   * The next bytes for the connection: about `maxBytes`, and at most the urgent frames and one turn of 32 KB more. When
   * it leaves no room, `onOutput` is called for urgent frames, and as soon as there is room again.
   */
  takeOutput(maxBytes: number): Buffer[] {
    const drained: YamuxStream[] = [];
    const resetDue: YamuxStream[] = [];
    const buffers = this.#output.take(maxBytes, (stream) => {
      if (stream.isFinished) this.#forget(stream);
      else if (stream.isResetDue) resetDue.push(stream);
      else if (stream.takeDrain()) drained.push(stream);
    });
    this.#sent.add(buffers);
    if (this.#output.isEmpty) this.#isOutputAnnounced = false;
    else if (this.roomBytes === 0) this.#holdBack();
    try {
      for (const stream of resetDue) {
        stream.reset();
        stream.events.onReset();
      }
      for (const stream of drained) if (stream.isWritable) stream.events.onDrain();
    } catch (error) {
      this.close(toError(error));
    }
    if (this.#isClosingWhenSent && this.#output.isEmpty) this.close();
    return buffers;
  }

  /** Throws MuxClosedError when the mux is closed or the peer goes away, TooManyStreamsError at the limit. */
  openStream(events: MuxStreamEvents): MuxStream {
    if (this.#isClosed) throw new MuxClosedError('the mux is closed');
    if (this.#isPeerGoingAway) throw new MuxClosedError('the peer takes no new streams');
    const stream = this.#addStream(this.#streams.takeOwnId(), events, 'us');
    this.#wantTurn(stream);
    return stream;
  }

  /** The round trip in milliseconds. Rejects with MuxClosedError when the mux closes first. */
  ping(): Promise<number> {
    if (this.#isClosed) return Promise.reject(new MuxClosedError('the mux is closed'));
    return this.#pinger.ping();
  }

  /** Sends a ping when enough was sent since the last one that it says something new. */
  measureLine(): void {
    if (this.#isClosed) return;
    // First of all without a queue of our own.
    if (this.#output.isBusy) this.#pinger.refresh(this.#options.monotonicMs(), MAX_RTT_AGE_MS);
    const sinceLastBytes = this.#sent.total - this.#pingedBytes;
    if (sinceLastBytes >= Math.min(PING_EVERY_BYTES, this.#limitBytes() / PINGS_PER_LIMIT)) this.#pinger.start();
  }

  /** How long a ping has waited for its reply; 0 while none does. */
  silentMs(monotonicMs: number): number {
    const { sentAtMs } = this.#pinger;
    return sentAtMs === undefined ? 0 : monotonicMs - sentAtMs;
  }

  /**
   * What a new connection has to carry first: all that was sent after the first `peerReceivedBytes` bytes. Undefined if
   * that number cannot be, or if the mux is not resumable.
   */
  outputSince(peerReceivedBytes: number): Buffer[] | undefined {
    return this.#sent.since(peerReceivedBytes);
  }

  /** The mux will not go on over another connection: keeps nothing for one. */
  stopKeeping(): void {
    this.#sent.stopKeeping();
  }

  /** Accepts no more new streams; open streams continue. */
  goAway(): void {
    if (this.#isGoingAway || this.#isClosed) return;
    this.#isGoingAway = true;
    this.#sendFrame(frameType.goAway, 0, 0, goAwayCode.normal);
  }

  /** Resets every stream and drops queued output, except for a GoAway. */
  close(error?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#decoder.stop();
    this.#output.clear();
    this.#unconfirmedUrgentBytes = 0;
    this.#isOutputAnnounced = false;
    this.#sendFrame(frameType.goAway, 0, 0, goAwayCodeOf(error));
    this.#payloadStream = undefined;
    const bug = resetAll(this.#streams.clear());
    this.#pinger.close(() => new MuxClosedError('the mux was closed', { cause: error }));
    this.#options.onClose(error ?? bug);
  }

  /** Closes when all queued output has been taken, for a last message. The caller sets a time limit. */
  closeWhenSent(): void {
    this.goAway();
    this.#isClosingWhenSent = true;
    if (this.#output.isEmpty) this.close();
  }

  #onFrame(type: FrameType, flags: number, streamId: number, length: number): void {
    if (type === frameType.data || type === frameType.windowUpdate) {
      if (streamId === 0) throw new ProtocolError(`frame of type ${type} on stream 0`);
      this.#onStreamFrame(type, flags, streamId, length);
    } else if (streamId !== 0) throw new ProtocolError(`frame of type ${type} on stream ${streamId}`);
    else if (type === frameType.ping) this.#onPing(flags, length);
    else this.#onGoAway(length);
  }

  #onStreamFrame(type: FrameType, flags: number, streamId: number, length: number): void {
    if ((flags & flag.syn) !== 0) this.#acceptStream(streamId);
    const stream = this.#streams.get(streamId);
    if (type === frameType.data) {
      this.#payloadStream = stream;
      this.#payloadFlags = flags;
      if (stream === undefined) this.#streams.reserveStray(streamId, length);
      else stream.reserve(length, this.#lastReceivedAtMs);
    } else if (stream !== undefined) {
      stream.addCredit(length);
      this.#closeByFlags(stream, flags);
    }
  }

  #acceptStream(streamId: number): void {
    this.#streams.usePeerId(streamId);
    if (this.#isGoingAway || this.#streams.isFullForPeer) {
      this.#streams.expectStray();
      this.#sendFrame(frameType.windowUpdate, flag.rst, streamId, 0);
      return;
    }
    const stream = this.#addStream(streamId, noEvents, 'peer');
    this.#wantUpdateFrame(stream); // carries the ACK
    stream.events = this.#options.onStream(stream);
  }

  #onPayload(slice: Buffer): void {
    const stream = this.#payloadStream;
    if (stream !== undefined && !stream.isClosed) stream.deliver(slice);
  }

  #onPayloadEnd(): void {
    const stream = this.#payloadStream;
    this.#payloadStream = undefined;
    if (stream !== undefined && !stream.isClosed) this.#closeByFlags(stream, this.#payloadFlags);
  }

  #closeByFlags(stream: YamuxStream, flags: number): void {
    if ((flags & flag.rst) !== 0) {
      this.#forget(stream);
      stream.events.onReset();
    } else if ((flags & flag.fin) !== 0) {
      stream.endByPeer();
      if (stream.isFinished) this.#forget(stream);
      stream.events.onEnd();
    }
  }

  #onPing(flags: number, value: number): void {
    if (flags === flag.syn) {
      const { inFlight } = this.#sent;
      if (this.#sent.isKeeping && this.#sent.confirmLow32(value)) this.#onConfirmed(inFlight);
      this.#sendFrame(frameType.ping, flag.ack, 0, value);
    } else if (flags === flag.ack) this.#pinger.receive(value);
    else throw new ProtocolError(`ping with flags ${flags}`);
  }

  /** A mux of ours reads in its value how much has arrived; others only repeat it. */
  #sendPing(): { value: number; mark: Flight } {
    const { total: sentBytes, inFlight: inFlightBytes } = this.#sent;
    this.#pingedBytes = sentBytes;
    const value = this.#receivedBytes % UINT32;
    this.#sendFrame(frameType.ping, flag.syn, 0, value);
    // Below that, what comes next in a transfer has only begun to be sent.
    const isFilled = inFlightBytes >= Math.min(this.#limitBytes() / 2, MAX_FILL_BYTES);
    return { value, mark: { sentBytes, inFlightBytes, wasBusy: isFilled && this.#output.isBusy } };
  }

  #onRoundTrip(rttMs: number, { sentBytes, inFlightBytes, wasBusy }: Flight): void {
    this.#inFlightLimit.add({ inFlightBytes, elapsedMs: rttMs, wasBusy }, this.#options.monotonicMs());
    // The peer reads in order: what was sent before the ping has arrived.
    const { inFlight } = this.#sent;
    if (this.#sent.confirm(sentBytes)) this.#onConfirmed(inFlight);
    this.measureLine();
  }

  /** The output is announced again by the next urgent frame, or when the peer has received more. */
  #holdBack(): void {
    this.#isOutputAnnounced = false;
    this.measureLine();
  }

  /** `inFlightBefore`: bytes in flight before the peer confirmed some of them. */
  #onConfirmed(inFlightBefore: number): void {
    // Not to 0: a peer could confirm one byte of each frame.
    const confirmedBytes = inFlightBefore - this.#sent.inFlight;
    this.#unconfirmedUrgentBytes = Math.max(this.#unconfirmedUrgentBytes - confirmedBytes, 0);
    if (this.hasOutput && this.roomBytes > 0) this.#announceOutput();
  }

  #limitBytes(): number {
    return this.#inFlightLimit.bytes(this.#options.monotonicMs(), this.#pinger.rttMs);
  }

  #onGoAway(code: number): void {
    if (code !== goAwayCode.normal) throw new MuxClosedError(`the peer closed the mux with code ${code}`);
    this.#isPeerGoingAway = true;
  }

  #onOwnReset(stream: YamuxStream, { isKnownToPeer, isEndDue }: { isKnownToPeer: boolean; isEndDue: boolean }): void {
    this.#forget(stream);
    if (isKnownToPeer) {
      if (!stream.isPeerEnded) this.#streams.expectStray(stream.window.creditBytes);
      if (isEndDue) this.#sendFrame(frameType.windowUpdate, flag.fin, stream.id, 0);
      this.#sendFrame(frameType.windowUpdate, flag.rst, stream.id, 0);
    }
  }

  #wantTurn(stream: YamuxStream): void {
    this.#output.addTurn(stream);
    this.#announceOutput();
  }

  #renewWindow(stream: YamuxStream): void {
    const monotonicMs = this.#options.monotonicMs();
    this.#pinger.refresh(monotonicMs, MAX_RTT_AGE_MS);
    if (stream.renewWindow(monotonicMs, this.#pinger.rttMs ?? 0)) this.#wantUpdateFrame(stream);
  }

  #wantUpdateFrame(stream: YamuxStream): void {
    this.#output.addUpdate(stream);
    this.#announceOutput();
  }

  #addStream(id: number, events: MuxStreamEvents, openedBy: 'us' | 'peer'): YamuxStream {
    const window = new ReceiveWindow(this.#budget, this.#limits.maxStreamWindowBytes, this.#lastReceivedAtMs);
    const stream = new YamuxStream(id, { owner: this.#owner, window, events, openedBy });
    this.#streams.add(stream);
    return stream;
  }

  #forget(stream: YamuxStream): void {
    stream.close();
    this.#streams.remove(stream);
    this.#output.remove(stream);
    // Nothing of what was announced is left, also after a reset of the peer: what comes next is announced again.
    if (this.#output.isEmpty) this.#isOutputAnnounced = false;
  }

  #sendFrame(type: FrameType, flags: number, streamId: number, value: number): void {
    if (this.#output.urgentBytes >= this.#limits.maxUrgentBytes) {
      this.close(new ProtocolError('the peer asks for replies that it does not read'));
      return;
    }
    this.#unconfirmedUrgentBytes += HEADER_BYTES;
    if (this.#sent.isKeeping && this.#unconfirmedUrgentBytes > this.#limits.maxUrgentBytes) {
      this.close(new ProtocolError('the peer asks for replies and never confirms any'));
      return;
    }
    this.#output.addFrame(type, flags, streamId, value);
    this.#announceOutput();
  }

  #announceOutput(): void {
    if (this.#isOutputAnnounced) return;
    this.#isOutputAnnounced = true;
    this.#options.onOutput();
  }
}

/** Closes all streams and calls `onReset` of each. Returns the first error that one of them throws. */
function resetAll(streams: YamuxStream[]): Error | undefined {
  let bug: Error | undefined;
  for (const stream of streams) stream.close();
  for (const stream of streams) {
    try {
      stream.events.onReset();
    } catch (error) {
      bug ??= toError(error);
    }
  }
  return bug;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('something other than an error was thrown', { cause: thrown });
}

function goAwayCodeOf(error: Error | undefined): number {
  if (error === undefined || error instanceof MuxClosedError) return goAwayCode.normal;
  return error instanceof ProtocolError ? goAwayCode.protocolError : goAwayCode.internalError;
}
