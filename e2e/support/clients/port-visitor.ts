import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitFor } from '../wait-for.ts';

const CHUNK_BYTES = 1024 * 1024;

/** A connection to a public port. `closed` is the system's error code, or undefined for a proper end. */
export type PortVisitor = { socket: Socket; closed: Promise<string | undefined> };

/** Connects to a port, waiting until it is open; the connection may then be reset. */
export async function visitPort(port: number, host = '127.0.0.1'): Promise<PortVisitor> {
  return await waitFor(`port ${port} is open`, 30_000, () => tryPort(port, host));
}

/** Undefined if nothing listens. */
export async function tryPort(port: number, host = '127.0.0.1'): Promise<PortVisitor | undefined> {
  const socket = connect({ port, host, allowHalfOpen: true });
  let code: string | undefined;
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code));
  const closed = new Promise<string | undefined>((resolve) => socket.once('close', () => resolve(code)));
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
  return code === 'ECONNREFUSED' ? undefined : { socket, closed };
}

/** Reads until the other side ends, as text. */
export async function readText(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'end');
  return text;
}

/** Sends random bytes, then ends; resolves with their hash once the system has them. */
export async function sendRandom(socket: Socket, bytes: number): Promise<string> {
  const hash: Hash = createHash('sha256');
  for (let sent = 0; sent < bytes; sent += CHUNK_BYTES) {
    const chunk = randomBytes(CHUNK_BYTES);
    hash.update(chunk);
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
  socket.end();
  return hash.digest('hex');
}

/** Reads to the end and resolves with the hash. */
export async function hashOf(socket: Socket): Promise<string> {
  const hash: Hash = createHash('sha256');
  socket.on('data', (chunk: Buffer) => hash.update(chunk));
  await once(socket, 'end');
  return hash.digest('hex');
}

/** Sends over UDP until there is an answer, as resolvers do. */
export async function askUdp(port: number, question: string): Promise<string> {
  const socket = createSocket('udp4');
  let answer: string | undefined;
  socket.on('message', (datagram) => (answer = datagram.toString()));
  try {
    return await waitFor(`an answer on UDP port ${port}`, 30_000, () => {
      if (answer === undefined) socket.send(question, port, '127.0.0.1');
      return answer;
    });
  } finally {
    socket.close();
  }
}
