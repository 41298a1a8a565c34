import {
  type ControlCipher,
  encodeFrpMessage,
  type FrpFields,
  type FrpMessage,
  FrpMessageDecoder,
  type MessageType,
  type Wire,
} from '@tongtu/frp';
import type { MuxStream, MuxStreamEvents } from '@tongtu/tunnel';

/** What frpc may leave unread before its connection is closed. */
const MAX_UNREAD_BYTES = 64 * 1024;

export type ControlStreamOptions = {
  wire: Wire;
  cipher: ControlCipher;
  onMessage: (message: FrpMessage) => void;
  onEnd: () => void;
};

/** The first stream of frpc after its login: encrypted messages. Invalid ones end the connection, as the mux gets the error. */
export class ControlStream implements MuxStreamEvents {
  readonly #stream: MuxStream;
  readonly #options: ControlStreamOptions;
  readonly #decoder: FrpMessageDecoder;

  constructor(stream: MuxStream, options: ControlStreamOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#decoder = new FrpMessageDecoder(options.wire);
  }

  send<Type extends MessageType>(type: Type, fields: FrpFields<Type>): void {
    if (!this.#stream.isWritable) return;
    if (this.#stream.queuedBytes > MAX_UNREAD_BYTES) return this.#options.onEnd();
    this.#stream.write(this.#options.cipher.seal(encodeFrpMessage(this.#options.wire, type, fields)));
  }

  onData(chunk: Buffer): void {
    this.#stream.consumed(chunk.length);
    for (const message of this.#decoder.push(this.#options.cipher.open(chunk))) this.#options.onMessage(message);
  }

  onEnd(): void {
    this.#options.onEnd();
  }

  onReset(): void {
    this.#options.onEnd();
  }

  onDrain(): void {}
}
