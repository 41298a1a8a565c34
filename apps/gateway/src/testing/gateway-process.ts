/** A gateway in a process of its own, for tests of what it survives. Its first message says which sessions there are. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { GatewaySession, ServerToGateway } from '@tongtu/contract';
import { pino } from 'pino';
import { appHandlers } from '../app-handlers.ts';
import { startGateway } from '../start-gateway.ts';

/** Each session is opened by any cookie with its number. */
export type GatewayProcessConfig = { relayPort: number; sessions: GatewaySession[] };

process.once('message', (config: GatewayProcessConfig) => void start(config));
process.once('disconnect', () => process.exit());

async function start({ relayPort, sessions }: GatewayProcessConfig): Promise<void> {
  const answer = (message: ServerToGateway): void => gateway.onServerMessage(message);
  const gateway = startGateway(
    {
      gatewaySecret: 's',
      send: (message) => {
        if (message.type !== 'open') return;
        const { correlation, sessionId } = message;
        const session = sessions.find((each) => each.sessionId === sessionId);
        const result =
          session === undefined ? ({ ok: false, reason: null } as const) : ({ ok: true, session } as const);
        setImmediate(() => answer({ type: 'open_result', correlation, result }));
      },
    },
    appHandlers,
    pino({ level: 'silent' }),
  );
  gateway.setRelayPorts([relayPort]);
  const listener = createServer({ pauseOnConnect: true }, (socket) => gateway.accept(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  process.send?.((listener.address() as AddressInfo).port); // it listens on TCP
}
