import {
  AgentMessage,
  encodeMessage,
  MessageDecoder,
  type MuxStream,
  type MuxStreamEvents,
  type RelayMessage,
} from '@tongtu/tunnel';

export type ControlEvents = { onMessage: (message: AgentMessage) => void; onEnd: () => void };

/** Stream 1 of a tunnel, as messages. An invalid message ends the tunnel, because the mux gets the error. */
export class ControlChannel implements MuxStreamEvents {
  events: ControlEvents;
  readonly #stream: MuxStream;
  readonly #decoder = new MessageDecoder(AgentMessage);

  constructor(stream: MuxStream, events: ControlEvents) {
    this.#stream = stream;
    this.events = events;
    stream.isUrgent = true;
  }

  send(message: RelayMessage): void {
    if (this.#stream.isWritable) this.#stream.write(encodeMessage(message));
  }

  onData(chunk: Buffer): void {
    this.#stream.consumed(chunk.length);
    for (const message of this.#decoder.push(chunk)) this.events.onMessage(message);
  }

  onEnd(): void {
    this.events.onEnd();
  }

  onReset(): void {
    this.events.onEnd();
  }

  onDrain(): void {}
}
