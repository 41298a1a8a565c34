import { Duplex } from 'node:stream';
import { connect, type ConnectionOptions } from 'node:tls';

/** The first bytes that Node's own TLS client sends. */
export async function realClientHello(options: ConnectionOptions): Promise<Buffer> {
  return await new Promise((resolve) => {
    const wire = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk);
        done();
      },
    });
    connect({ ...options, socket: wire }).on('error', () => {});
  });
}

/** A TLS handshake message, split into records of at most that many bytes. */
export function inRecords(message: Buffer, maxBytes: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += maxBytes) {
    const part = message.subarray(at, at + maxBytes);
    records.push(Buffer.of(22, 3, 1, part.length >> 8, part.length & 0xff), part);
  }
  return Buffer.concat(records);
}

export type HelloParts = { sessionId?: Buffer; extensions?: Array<{ type: number; body: Buffer }> | undefined };

/** A handshake message with exactly these parts. */
export function clientHello({ sessionId = Buffer.alloc(0), extensions }: HelloParts): Buffer {
  const body = Buffer.concat([
    Buffer.of(3, 3),
    Buffer.alloc(32, 7),
    vector(1, sessionId),
    vector(2, Buffer.of(0x13, 0x01, 0x13, 0x02)),
    vector(1, Buffer.of(0)),
    extensions === undefined ? Buffer.alloc(0) : vector(2, Buffer.concat(extensions.map(extensionBytes))),
  ]);
  return Buffer.concat([Buffer.of(1), vector(3, body)]);
}

export function serverNameExtension(...names: string[]): { type: number; body: Buffer } {
  const list = names.map((name) => Buffer.concat([Buffer.of(0), vector(2, Buffer.from(name, 'latin1'))]));
  return { type: 0, body: vector(2, Buffer.concat(list)) };
}

function extensionBytes({ type, body }: { type: number; body: Buffer }): Buffer {
  return Buffer.concat([Buffer.of(type >> 8, type & 0xff), vector(2, body)]);
}

function vector(lengthBytes: number, body: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(body.length, 0, lengthBytes);
  return Buffer.concat([length, body]);
}
