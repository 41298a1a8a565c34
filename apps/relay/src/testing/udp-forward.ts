import { createSocket, type Socket } from 'node:dgram';
import {
  DatagramDecoder,
  encodeDatagram,
  type MuxStream,
  type MuxStreamEvents,
  openStatus,
  type OpenRequest,
} from '@tongtu/tunnel';

/** A stream of the relay, connected to one UDP socket. */
export class UdpForward implements MuxStreamEvents {
  readonly #stream: MuxStream;
  readonly #socket: Socket = createSocket('udp4');
  readonly #decoder = new DatagramDecoder();
  readonly #request: OpenRequest;
  #isAnswered = false;

  constructor(stream: MuxStream, request: OpenRequest, first: Buffer) {
    this.#stream = stream;
    this.#request = request;
    this.#socket.on('message', (datagram) => {
      if (!this.#isAnswered) stream.write(Buffer.of(openStatus.connected));
      this.#isAnswered = true;
      stream.write(encodeDatagram(datagram));
    });
    this.#socket.bind(0, '127.0.0.1');
    this.#send(first);
  }

  onData(chunk: Buffer): void {
    this.#stream.consumed(chunk.length);
    this.#send(chunk);
  }

  onEnd(): void {
    this.#socket.close();
    this.#stream.end();
  }

  onReset(): void {
    this.#socket.close();
  }

  onDrain(): void {}

  #send(chunk: Buffer): void {
    const { host, port } = this.#request;
    for (const datagram of this.#decoder.push(chunk)) this.#socket.send(datagram, port, host);
  }
}
