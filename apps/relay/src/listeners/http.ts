import { createServer, type Server } from 'node:net';
import type { VisitorConnections } from '../visitors/visitor-connections.ts';

/** Large enough that a fast visitor is rarely paused. */
const WRITE_BUFFER_BYTES = 128 * 1024;

export function createHttpListener(visitors: VisitorConnections): Server {
  const options = {
    allowHalfOpen: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    highWaterMark: WRITE_BUFFER_BYTES,
  };
  return createServer(options, (socket) => visitors.accept(socket, 'http'));
}
