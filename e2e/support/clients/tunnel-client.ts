import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Product } from '../product/product.ts';

/** A client of the tunnel port that may violate the protocol. */
export type TunnelPeer = { socket: Socket; received: () => Buffer; closed: Promise<void> };

export async function dialTunnelPlain(product: Product): Promise<TunnelPeer> {
  const socket = connectTcp({ host: '127.0.0.1', port: product.ports.tunnel });
  const peer = watch(socket);
  await once(socket, 'connect');
  return peer;
}

export async function dialTunnel(product: Product): Promise<TunnelPeer> {
  const socket = connectTls({ host: '127.0.0.1', port: product.ports.tunnel, rejectUnauthorized: false });
  const peer = watch(socket);
  await once(socket, 'secureConnect');
  return peer;
}

function watch(socket: Socket): TunnelPeer {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // a reset is one of the ways the other side may close
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, received: () => Buffer.concat(chunks), closed };
}

const HEADER_BYTES = 12;
export const yamuxFrame = { data: 0, windowUpdate: 1, ping: 2, goAway: 3 } as const;
export const yamuxFlag = { syn: 1, ack: 2, fin: 4, rst: 8 } as const;

/** A frame in the yamux wire format; `length` may differ from the payload. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer, length = payload.length): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(0, 0);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(flags, 2);
  header.writeUInt32BE(streamId, 4);
  header.writeUInt32BE(length, 8);
  return Buffer.concat([header, payload]);
}

/** A control message on the wire: its length, then JSON. */
export function controlMessage(message: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}
