import type { Duplex } from 'node:stream';
import type { AppFailure } from '@tongtu/contract';
import { createWebSocketStream, type WebSocket } from 'ws';
import { type LiveSession, SessionEndedError, TargetError } from '../session/live-session.ts';
import { Deadline } from '../ssh/deadline.ts';
import { sendToScreen } from './screen-control.ts';

/** WebSocket close codes for applications begin at 4000 (RFC 6455 §7.4.2). */
const FAILED = 4_000;
const BEGIN_TIMEOUT_MS = 20_000;
/** Messages to the browser that it has not taken. */
const MAX_SENDING = 256;

export type ScreenProtocol = {
  /** What the gateway has to do before the bytes pass. It may replace the target's stream (by TLS over it). */
  begin: (target: Duplex, browser: Duplex) => Promise<Duplex>;
  /** Whether the user has caused a message. Libraries also send messages of their own, which keep no session open. */
  isInput: (message: Buffer) => boolean;
  /** What it means that the target ends the connection; absent: that it has ended the session. */
  endReason?: () => AppFailure;
  beginTimeoutMs?: number;
};

/** Joins a WebSocket with a new stream to the target, each with the other's back-pressure. */
export function joinScreen(session: LiveSession, socket: WebSocket, protocol: ScreenProtocol): void {
  const browser = createWebSocketStream(socket, { allowHalfOpen: false });
  let target: Duplex | undefined;
  let isClosed = false;
  const close = (reason: AppFailure) => {
    if (isClosed) return;
    isClosed = true;
    sendToScreen(session, { type: 'failed', reason });
    socket.close(FAILED, reason);
    target?.destroy();
  };
  browser.on('error', () => target?.destroy()); // the browser has left
  try {
    target = session.openStream();
  } catch (error) {
    return close(reasonOf(error));
  }
  const deadline = new Deadline(protocol.beginTimeoutMs ?? BEGIN_TIMEOUT_MS, () => close('timed-out'));
  const onAbort = () => close(reasonOf(session.signal.reason));
  session.signal.addEventListener('abort', onAbort, { once: true });
  socket.on('message', (message: Buffer) => {
    if (protocol.isInput(message)) session.touch();
  });
  socket.once('close', () => {
    isClosed = true;
    deadline.stop();
    session.signal.removeEventListener('abort', onAbort);
    target?.destroy();
  });
  target.on('error', (error) => close(reasonOf(error)));
  protocol.begin(target, browser).then(
    (stream) => {
      deadline.stop();
      stream.on('error', (error) => close(reasonOf(error)));
      stream.once('end', () => close(protocol.endReason?.() ?? 'closed'));
      passOn(stream, browser);
      browser.pipe(stream);
    },
    (error: unknown) => close(reasonOf(error)),
  );
}

/** As `pipe`, which counts bytes alone: a target may send each as an update of its own. */
function passOn(target: Duplex, browser: Duplex): void {
  let sending = 0;
  const regulate = (): void => {
    if (sending > MAX_SENDING || browser.writableNeedDrain) target.pause();
    else if (target.isPaused()) target.resume();
  };
  browser.on('drain', regulate);
  target.on('data', (bytes: Buffer) => {
    sending++;
    browser.write(bytes, () => {
      sending--;
      if (sending === MAX_SENDING) regulate();
    });
    regulate();
  });
}

function reasonOf(error: unknown): AppFailure {
  return error instanceof TargetError || error instanceof SessionEndedError ? error.code : 'lost';
}
