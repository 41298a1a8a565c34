import type { Socket } from 'node:net';

/** RFC 8446 §6: what a client can be told before any key is agreed on. */
const descriptions = { access_denied: 49, internal_error: 80, unrecognized_name: 112 } as const;
export type TlsAlert = keyof typeof descriptions;

const ALERT_RECORD = [21, 3, 3, 0, 2] as const;
const FATAL = 2;
/** For the alert to arrive: closing on unread bytes would take it back. */
const LINGER_MS = 2_000;

/** Tells the client in the words of TLS why it is not served, and closes. */
export function refuseWithAlert(socket: Socket, alert: TlsAlert): void {
  socket.on('error', () => {});
  socket.end(Buffer.of(...ALERT_RECORD, FATAL, descriptions[alert]));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
