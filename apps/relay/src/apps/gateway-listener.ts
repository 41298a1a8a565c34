import { createServer, type Server, type Socket } from 'node:net';
import { parseJson } from '@tongtu/base';
import {
  AppStreamRequest,
  type AppStreamOutcome,
  appStreamOutcomes,
  MAX_APP_STREAM_LINE_BYTES,
} from '@tongtu/contract';
import { isSameSecret } from '../access/is-same-secret.ts';
import { RawConnection } from '../passthrough/raw-connection.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import {
  AgentOutdatedError,
  GrantEndedError,
  type UpstreamFailure,
  type UpstreamPool,
} from '../upstream/upstream-stream.ts';
import { readLine } from './read-line.ts';

const REQUEST_TIMEOUT_MS = 5_000;

export type GatewayListenerDeps = {
  /** The gateway proves with it that it is the gateway. */
  secret: string;
  findApp: (appId: number) => RouteEntry | undefined;
  findPool: (entry: RouteEntry) => UpstreamPool | undefined;
  monotonicMs: () => number;
};

/**
 * Where the gateway gets its connections to the targets of cloud apps (`app-stream-request.ts` of the contract). Not yet
 * listening. It connects nowhere but through a device to an address of the routes.
 */
export function createGatewayListener(deps: GatewayListenerDeps): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => {}); // 'close' follows
    void serve(socket, deps);
  });
}

async function serve(socket: Socket, deps: GatewayListenerDeps): Promise<void> {
  const line = await readLine(socket, { maxBytes: MAX_APP_STREAM_LINE_BYTES, timeoutMs: REQUEST_TIMEOUT_MS });
  const request = line === undefined ? undefined : AppStreamRequest.safeParse(parseJson(line)).data;
  if (request === undefined || !isSameSecret(request.secret, deps.secret)) {
    socket.destroy();
    return;
  }
  const entry = deps.findApp(request.app);
  if (entry === undefined) return refuse(socket, 'changed');
  const pool = deps.findPool(entry);
  if (pool === undefined) return refuse(socket, 'device-offline');
  join(socket, pool, { monotonicMs: deps.monotonicMs, address: request.address });
}

function join(
  socket: Socket,
  pool: UpstreamPool,
  { monotonicMs, address }: { monotonicMs: () => number; address: string },
): void {
  try {
    const stream = pool.take('never', { address, proof: undefined });
    new RawConnection(socket, stream, {
      meter: pool.meter,
      monotonicMs,
      preface: outcomeByte('connected'),
      onUnanswered: (failure) => refuse(socket, outcomes[failure]),
      onClosed() {},
    });
    socket.write(outcomeByte('opened'));
    socket.resume(); // it was paused after its first line
  } catch (error) {
    refuse(socket, outcomeOf(error));
  }
}

function refuse(socket: Socket, outcome: AppStreamOutcome): void {
  socket.resume(); // what it still sends has no reader
  socket.end(outcomeByte(outcome));
}

function outcomeByte(outcome: AppStreamOutcome): Buffer {
  return Buffer.of(appStreamOutcomes.indexOf(outcome));
}

const outcomes: Record<UpstreamFailure, AppStreamOutcome> = {
  refused: 'refused',
  notFound: 'not-found',
  notAllowed: 'not-allowed',
  timeout: 'timed-out',
  tlsFailed: 'lost', // of kinds that apps do not use
  certificateInvalid: 'lost',
  lost: 'lost',
  noHttp2: 'lost',
  busy: 'busy',
  visitorBusy: 'busy',
  agentOutdated: 'agent-outdated',
  revoked: 'changed',
};

function outcomeOf(error: unknown): AppStreamOutcome {
  if (error instanceof AgentOutdatedError) return 'agent-outdated';
  return error instanceof GrantEndedError ? 'changed' : 'busy';
}
