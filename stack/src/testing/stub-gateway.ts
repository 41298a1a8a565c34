import type { Socket } from 'node:net';
import type { FromGateway, ToGateway } from '../gateway/gateway-messages.ts';

// A gateway process that answers each connection and closes it.
process.on('message', ({ type }: ToGateway, socket?: Socket) => {
  if (type === 'connection') socket?.end('served');
});
process.once('disconnect', () => process.exit(0));
setInterval(() => process.send?.({ type: 'beat' } satisfies FromGateway), 1_000);
