import { connect } from 'node:net';
import { pino } from 'pino';
import type { RelayLimits } from '../config/relay-limits.ts';
import { RawClient } from './clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from './start-test-relay.ts';

/** On Linux every program may use all of 127.0.0.0/8, so attackers and other visitors have different addresses. */
export const HOSTILE = '127.0.0.66';
const OTHER_VISITOR = '127.0.0.7';
const HOST = 'nas.localhost';

/** A relay under attack, with a device that serves `nas.localhost`, and another visitor who only requests a page. */
export async function startFloodedRelay(limits: Partial<RelayLimits> = {}) {
  const stack = new AsyncDisposableStack();
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const lan = stack.use(
    await startLanService((request, response) => {
      request.resume();
      request.on('end', () => response.end('served'));
    }),
  );
  const t = stack.use(await startTestRelay(limits, log));
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { [HOST]: lan.port }), key);
  const open = (localAddress: string) => {
    const socket = connect({ port: t.relay.httpPort, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    return stack.use(new RawClient(socket));
  };
  return {
    t,
    agent,
    /** The log lines of level info and above. */
    warnings: () => warnings.map((line) => (JSON.parse(line) as { msg: string }).msg),
    openHostile: () => open(HOSTILE),
    openMany: (count: number) => Array.from({ length: count }, () => open(HOSTILE)),
    /** Resolves with another visitor's answer during the attack. */
    async visitAsOther(): Promise<string> {
      const other = open(OTHER_VISITOR);
      other.send(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
      return await other.untilEnd();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export const servedPage = /^HTTP\/1\.1 200 [^]*served$/;
