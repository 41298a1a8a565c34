import { parseJson } from '@tongtu/base';
import { ScreenFromBrowser, type ScreenFromGateway } from '@tongtu/contract';
import type { WebSocket } from 'ws';
import { type LiveSession, SessionEndedError } from '../session/live-session.ts';

type Send = (message: ScreenFromGateway) => void;

const controls = new WeakMap<LiveSession, Set<Send>>();

/** What the libraries in the browser do not show their page. */
export function sendToScreen(session: LiveSession, message: ScreenFromGateway): void {
  for (const send of controls.get(session) ?? []) send(message);
}

/** What the page and the gateway have to say to each other beside the bytes of the screen. */
export function connectScreenControl(session: LiveSession, socket: WebSocket): void {
  const send: Send = (message) => socket.send(JSON.stringify(message));
  const sends = controls.get(session) ?? new Set();
  controls.set(session, sends.add(send));
  const onAbort = () => {
    const { reason } = session.signal as { reason: unknown };
    send({ type: 'ended', reason: reason instanceof SessionEndedError ? reason.code : 'lost' });
    socket.close();
  };
  session.signal.addEventListener('abort', onAbort, { once: true });
  const unsubscribe = session.onIdleWarning((seconds) => send({ type: 'idle_warning', seconds }));
  socket.on('message', (data: Buffer) => {
    if (ScreenFromBrowser.safeParse(parseJson(data.toString())).success) session.touch();
    else socket.close(1008);
  });
  socket.on('error', () => {}); // 'close' follows
  socket.once('close', () => {
    sends.delete(send);
    unsubscribe();
    session.signal.removeEventListener('abort', onAbort);
  });
}
