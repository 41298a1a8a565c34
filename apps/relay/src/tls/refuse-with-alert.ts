import type { Socket } from 'node:net';

/** RFC 8446 §6: alerts that can be sent before the key exchange. */
const descriptions = { access_denied: 49, internal_error: 80, unrecognized_name: 112 } as const;
export type TlsAlert = keyof typeof descriptions;

const ALERT_RECORD = [21, 3, 3, 0, 2] as const;
const FATAL = 2;
/** Time for the alert to arrive: closing with unread bytes would discard it. */
const LINGER_MS = 2_000;

/** Sends a TLS alert that says why the client is refused, and closes. */
export function refuseWithAlert(socket: Socket, alert: TlsAlert): void {
  socket.on('error', () => {});
  socket.end(Buffer.of(...ALERT_RECORD, FATAL, descriptions[alert]));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
