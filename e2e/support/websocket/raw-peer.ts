import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { encodeFrame, type Frame, FrameDecoder, opcode } from './frames.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const HEAD_END = '\r\n\r\n';

const acceptOf = (key: string) =>
  createHash('sha1')
    .update(key + GUID)
    .digest('base64');

/** `chopBytes`: the size of writes; absent: all at once. `extensions`: offered by the visitor; absent: none. */
export type Sending = { frames: readonly Frame[]; chopBytes?: number | undefined; extensions?: string };

/**
 * Opens a WebSocket at that port without any checks, sends the frames, and resolves with all received frames at the
 * end.
 */
export async function visitRaw(port: number, host: string, sending: Sending): Promise<Frame[]> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  const key = randomBytes(16).toString('base64');
  const offer = sending.extensions === undefined ? '' : `Sec-WebSocket-Extensions: ${sending.extensions}\r\n`;
  socket.write(
    `GET /socket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\n${offer}Sec-WebSocket-Key: ${key}${HEAD_END}`,
  );
  const { head, rest } = await readHead(socket);
  const isSwitched = head.startsWith('HTTP/1.1 101 ') && head.includes(`Sec-WebSocket-Accept: ${acceptOf(key)}\r\n`);
  if (!isSwitched) throw new Error(`no WebSocket: ${head}`);
  return await converse(socket, rest, sending, { isMasked: true });
}

export type RawWebSocketService = AsyncDisposable & {
  port: number;
  /** Sends these frames to the next client; resolves with all frames received from it. */
  serve(sending: Sending): Promise<Frame[]>;
};

/** A service that upgrades to WebSocket and sends the given frames, valid or not. */
export async function startRawWebSocketService(): Promise<RawWebSocketService> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listening on TCP: never a pipe name
    async serve(sending) {
      const [socket] = (await once(server, 'connection')) as [Socket]; // of node:net
      const { head, rest } = await readHead(socket);
      const key = /^Sec-WebSocket-Key: (.*)\r$/im.exec(head)?.[1] ?? '';
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Accept: ${acceptOf(key)}${HEAD_END}`,
      );
      return await converse(socket, rest, sending, { isMasked: false });
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readHead(socket: Socket): Promise<{ head: string; rest: Buffer }> {
  socket.setNoDelay(true);
  let bytes = Buffer.alloc(0);
  while (!bytes.includes(HEAD_END)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]; // without an encoding
    bytes = Buffer.concat([bytes, chunk]);
  }
  socket.pause();
  const end = bytes.indexOf(HEAD_END) + HEAD_END.length;
  return { head: bytes.toString('latin1', 0, end), rest: bytes.subarray(end) };
}

/** Ends its side at the first received Close. */
async function converse(
  socket: Socket,
  first: Buffer,
  { frames, chopBytes }: Sending,
  { isMasked }: { isMasked: boolean },
): Promise<Frame[]> {
  const decoder = new FrameDecoder();
  const received: Frame[] = [];
  const take = (chunk: Buffer) => {
    const came = decoder.push(chunk);
    received.push(...came);
    if (came.some((frame) => frame.opcode === opcode.close)) socket.end();
  };
  socket.on('data', take);
  socket.on('error', () => {}); // 'close' follows
  const closed = once(socket, 'close');
  take(first);
  socket.resume();
  const bytes = Buffer.concat(frames.map((frame) => encodeFrame(frame, { isMasked })));
  if (chopBytes === undefined) socket.write(bytes);
  else await writeChopped(socket, bytes, chopBytes);
  await closed;
  return received;
}

async function writeChopped(socket: Socket, bytes: Buffer, chopBytes: number): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += chopBytes)
    await new Promise((resolve) => socket.write(bytes.subarray(at, at + chopBytes), resolve));
}
