import type { WatchFromGateway } from '@tongtu/contract';
import type { WebSocket } from 'ws';
import { type LiveSession, SessionEndedError } from './live-session.ts';

const NORMAL_CLOSURE = 1000;

/** The WebSocket that the file manager keeps open beside its calls (`watch-messages.ts` of the contract). */
export function watchSession(session: LiveSession, socket: WebSocket): void {
  const send = (message: WatchFromGateway): void => socket.send(JSON.stringify(message), () => {}); // the browser may have left
  const onAbort = (): void => {
    const { reason } = session.signal;
    send({ type: 'failed', reason: reason instanceof SessionEndedError ? reason.code : 'lost' });
    socket.close(NORMAL_CLOSURE);
  };
  const stopWarnings = session.onIdleWarning((seconds) => send({ type: 'idle_warning', seconds }));
  socket.on('message', () => session.touch());
  socket.on('error', () => {}); // "close" follows
  socket.once('close', () => {
    session.signal.removeEventListener('abort', onAbort);
    stopWarnings();
  });
  if (session.signal.aborted) onAbort();
  else session.signal.addEventListener('abort', onAbort, { once: true });
}
