import type { Socket } from 'node:net';
import type { FromGateway, ToGateway } from '../gateway/gateway-messages.ts';

// A gateway process that answers each connection and, unless its argument is `keep`, closes it.
process.on('message', (message: ToGateway, socket?: Socket) => {
  if (message.type !== 'connection') return;
  if (process.argv[2] === 'keep') socket?.write('served');
  else socket?.end('served');
  send({ type: 'accepted', id: message.id });
});
process.once('disconnect', () => process.exit(0));
setInterval(() => send({ type: 'beat' }), 50);

function send(message: FromGateway): void {
  process.send?.(message, undefined, undefined, () => {}); // the main process may have ended
}
