import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { AppStreamRequest, type AppStreamOutcome, appStreamOutcomes } from '@tongtu/contract';

export type FakeRelay = AsyncDisposable & { port: number; requests: AppStreamRequest[] };

const byteOf = (outcome: AppStreamOutcome) => Buffer.of(appStreamOutcomes.indexOf(outcome));

/** A relay that leads to one port of this machine, or to one for each app, or answers with an outcome alone. */
export async function startFakeRelay(
  target: number | AppStreamOutcome | ((app: number) => number),
): Promise<FakeRelay> {
  const requests: AppStreamRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.once('readable', () => {
      const line: string[] = [];
      for (let byte: Buffer | null; (byte = socket.read(1) as Buffer | null) !== null && byte[0] !== 10;)
        line.push(byte.toString('latin1'));
      const request = AppStreamRequest.parse(JSON.parse(line.join('')));
      requests.push(request);
      if (typeof target === 'string') socket.end(byteOf(target));
      else join(socket, typeof target === 'number' ? target : target(request.app));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(socket: Socket, port: number): void {
  socket.write(byteOf('opened'));
  const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let isConnected = false;
  target.on('data', (chunk: Buffer) => {
    if (!isConnected) socket.write(byteOf('connected'));
    isConnected = true;
    socket.write(chunk);
  });
  target.on('end', () => socket.end());
  target.on('error', () => (isConnected ? socket.resetAndDestroy() : socket.end(byteOf('refused'))));
  socket.pipe(target);
  socket.once('close', () => target.destroy());
}
