import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { selfSigned } from '../files/testing/self-signed.ts';
import { startRawServer } from '../testing/start-raw-server.ts';
import { connectTlsOver } from './connect-tls.ts';

/** A stream to a target that takes no more bytes from a moment on, as when it hangs up. */
class BreakingStream extends Duplex {
  readonly #socket: Socket;
  isBroken = false;

  constructor(port: number) {
    super();
    this.#socket = connect(port, '127.0.0.1').on('data', (bytes) => this.push(bytes));
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    if (this.isBroken) setImmediate(callback, Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    else this.#socket.write(bytes, () => callback());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}

async function startTlsServer() {
  const { key, certificate: cert } = await selfSigned('nas');
  return await startRawServer((socket) => new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {}));
}

test('a target that hangs up while bytes are written to it ends its connection, and not the process', async () => {
  await using target = await startTlsServer();
  const stream = new BreakingStream(target.port);
  const secure = await connectTlsOver(stream, { rejectUnauthorized: false });
  const failed = vi.fn<(error: Error) => void>();
  secure.once('error', failed);
  const closed = once(secure, 'close').catch(() => {});
  stream.isBroken = true;

  secure.write('one');
  secure.write('two');

  await closed;
  await new Promise(setImmediate);
  expect(failed).toHaveBeenCalledOnce();
});

test('a target that hangs up in the handshake is lost', async () => {
  await using target = await startRawServer((socket) => socket.destroy());
  const stream = connect(target.port, '127.0.0.1');
  await expect(connectTlsOver(stream, { rejectUnauthorized: false })).rejects.toThrow();
  expect(stream.destroyed).toBe(true);
});
