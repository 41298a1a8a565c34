import type { WebSocket } from 'ws';
import type { LiveSession } from '../sessions/live-session.ts';
import { joinScreen } from './screen-socket.ts';
import { shakeVncHands } from './vnc-handshake.ts';

/** A VNC screen: RFB (RFC 6143) in the WebSocket's binary messages. */
export function connectVnc(session: LiveSession, socket: WebSocket): void {
  joinScreen(session, socket, async (target, browser) => {
    await shakeVncHands(target, browser, session.facts.secrets.password);
    return target;
  });
}
