/**
 * One side of a tunnel with nothing in it but what any tunnel in Node.js must do: streams over one encrypted connection.
 * It has no flow control of each stream, no checks and no counters, so it shows what Node.js itself costs.
 *
 * `node bare-tunnel-process.ts server <tunnel port> <visitor port>`
 * `node bare-tunnel-process.ts client <tunnel port> <target port>`
 */
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';

const [role, tunnelPort, port] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const kinds = { data: 0, open: 1, end: 2 };
/** A frame: the id of its stream, and its length with the kind in the upper four bits; then the data. */
const HEADER_BYTES = 8;
const KIND_SHIFT = 28;
const MAX_UNSENT_BYTES = 4_000_000;
/** Up to this size it costs less to copy the frames into one buffer than to write several. */
const COPIED_BYTES = 64 * 1024;

const psk = Buffer.alloc(32, 'bench');
const encryption = {
  ciphers: 'PSK-AES128-GCM-SHA256',
  maxVersion: 'TLSv1.2', // Node.js has no shared keys with TLS 1.3
} as const;

if (role === 'server') {
  createTlsServer({ ...encryption, pskCallback: () => psk }, (tunnel) => {
    const open = carry(tunnel, () => {
      throw new Error('the client opens no streams');
    });
    let lastId = 0;
    createServer({ allowHalfOpen: true }, (visitor) => open(++lastId, visitor)).listen(port, '127.0.0.1');
  }).listen(tunnelPort, '127.0.0.1');
} else {
  const pskCallback = () => ({ psk, identity: 'bench' });
  const checkServerIdentity = () => undefined; // both know the key
  const options = { ...encryption, host: '127.0.0.1', port: tunnelPort, pskCallback, checkServerIdentity };
  carry(connectTls(options), () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
}

/** Carries streams over the tunnel. Returns a function that opens one for a socket. */
function carry(tunnel: TLSSocket, connectTarget: () => Socket): (id: number, socket: Socket) => void {
  const sockets = new Map<number, Socket>();
  let batch: Buffer[] = [];
  tunnel.setNoDelay(true);

  function send(id: number, kind: number, data?: Buffer): void {
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header.writeUInt32BE(id, 0);
    header.writeUInt32BE((kind << KIND_SHIFT) | (data?.length ?? 0), 4);
    if (batch.length === 0) queueMicrotask(flush);
    batch.push(header, ...(data === undefined ? [] : [data]));
  }

  function flush(): void {
    const sizeBytes = batch.reduce((sum, { length }) => sum + length, 0);
    if (sizeBytes <= COPIED_BYTES) batch = [Buffer.concat(batch, sizeBytes)];
    tunnel.cork();
    for (const bytes of batch) tunnel.write(bytes);
    tunnel.uncork();
    batch = [];
    if (tunnel.writableLength > MAX_UNSENT_BYTES) for (const socket of sockets.values()) socket.pause();
  }
  tunnel.on('drain', () => {
    for (const socket of sockets.values()) socket.resume();
  });

  function attach(id: number, socket: Socket): void {
    sockets.set(id, socket);
    socket.setNoDelay(true);
    socket.on('data', (data) => send(id, kinds.data, data));
    socket.on('end', () => send(id, kinds.end));
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      sockets.delete(id);
      if (!socket.readableEnded) send(id, kinds.end);
    });
  }

  function deliver(id: number, data: Buffer): void {
    const socket = sockets.get(id);
    if (socket === undefined || socket.write(data) || tunnel.isPaused()) return;
    if (socket.writableLength < MAX_UNSENT_BYTES) return;
    tunnel.pause();
    const resume = () => {
      socket.off('drain', resume).off('close', resume);
      tunnel.resume();
    };
    socket.on('drain', resume).on('close', resume);
  }

  let unread: Buffer = Buffer.alloc(0);
  let current = { id: 0, leftBytes: 0 };
  tunnel.on('data', (bytes) => {
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    while (unread.length > 0) {
      if (current.leftBytes > 0) {
        const data = unread.subarray(0, current.leftBytes);
        deliver(current.id, data);
        current.leftBytes -= data.length;
        unread = unread.subarray(data.length);
        continue;
      }
      if (unread.length < HEADER_BYTES) return;
      const id = unread.readUInt32BE(0);
      const kindAndLength = unread.readUInt32BE(4);
      const kind = kindAndLength >>> KIND_SHIFT;
      unread = unread.subarray(HEADER_BYTES);
      if (kind === kinds.open) attach(id, connectTarget());
      else if (kind === kinds.end) sockets.get(id)?.end();
      else current = { id, leftBytes: kindAndLength & (2 ** KIND_SHIFT - 1) };
    }
  });

  return (id, socket) => {
    send(id, kinds.open);
    attach(id, socket);
  };
}
