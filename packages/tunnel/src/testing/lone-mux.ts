/** A mux without a peer: the test writes the peer's frames and reads the answers of the mux. */
import { FrameDecoder, frameType, HEADER_BYTES, writeHeader } from '../mux/frame.ts';
import type { MuxOptions } from '../mux/mux-options.ts';
import { Mux } from '../mux/mux.ts';
import type { MuxStream, MuxStreamEvents } from '../mux/stream.ts';

export type RawFrame = { type: number; flags: number; streamId: number; length: number; payload: Buffer };

/** A frame on the wire. A test may set a `length` that differs from the payload. */
export function rawFrame(frame: Partial<RawFrame> & { type: number }): Buffer {
  const payload = frame.payload ?? Buffer.alloc(0);
  const bytes = Buffer.alloc(HEADER_BYTES + payload.length);
  const length = frame.length ?? payload.length;
  writeHeader(bytes, 0, frameType.data, frame.flags ?? 0, frame.streamId ?? 0, length);
  bytes[1] = frame.type; // may be an unknown type
  payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** The frames in some bytes, which must end with a frame. */
export function readFrames(bytes: Buffer): RawFrame[] {
  const frames: RawFrame[] = [];
  const decoder = new FrameDecoder({
    onFrame: (type, flags, streamId, length) =>
      frames.push({ type, flags, streamId, length, payload: Buffer.alloc(0) }),
    onPayload(slice) {
      const frame = frames.at(-1) as RawFrame; // a payload follows its header
      frame.payload = Buffer.concat([frame.payload, slice]);
    },
    onPayloadEnd() {},
  });
  decoder.push(bytes);
  return frames;
}

type SeenStream = {
  stream: MuxStream;
  chunks: Buffer[];
  seen: string[];
  text: () => string;
};

export type LoneMux = {
  mux: Mux;
  /** The frames sent since the last call. */
  sent: () => RawFrame[];
  /** The streams the peer opened. */
  accepted: SeenStream[];
  open: () => SeenStream;
  /** One entry for each call of onClose. */
  closes: (Error | undefined)[];
  clock: { monotonicMs: number };
  outputCount: () => number;
};

export function createLoneMux(options: Partial<MuxOptions> = {}): LoneMux {
  const clock = { monotonicMs: 0 };
  const accepted: SeenStream[] = [];
  const closes: (Error | undefined)[] = [];
  let outputCount = 0;
  const mux: Mux = new Mux({
    role: 'server',
    monotonicMs: () => clock.monotonicMs,
    onStream(stream) {
      const { seenStream, events } = watch(stream);
      accepted.push(seenStream);
      return events;
    },
    onOutput: () => (outputCount += 1),
    onClose: (error) => closes.push(error),
    ...options,
  });
  return {
    mux,
    sent: () => readFrames(Buffer.concat(mux.takeOutput(Number.MAX_SAFE_INTEGER))),
    accepted,
    open() {
      const stream = mux.openStream({ onData() {}, onEnd() {}, onReset() {}, onDrain() {} });
      const { seenStream, events } = watch(stream);
      stream.events = events;
      return seenStream;
    },
    closes,
    clock,
    outputCount: () => outputCount,
  };
}

function watch(stream: MuxStream): { seenStream: SeenStream; events: MuxStreamEvents } {
  const seenStream: SeenStream = {
    stream,
    chunks: [],
    seen: [],
    text: () => Buffer.concat(seenStream.chunks).toString(),
  };
  const events: MuxStreamEvents = {
    onData: (chunk) => seenStream.chunks.push(chunk),
    onEnd: () => seenStream.seen.push('end'),
    onReset: () => seenStream.seen.push('reset'),
    onDrain: () => seenStream.seen.push('drain'),
  };
  return { seenStream, events };
}
