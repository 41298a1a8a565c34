import { vncPasswordBytes } from '@tongtu/contract/vnc-password';
import type { WebSocket } from 'ws';
import type { LiveSession } from '../session/live-session.ts';
import { joinScreen } from './screen-socket.ts';
import { shakeVncHands } from './vnc-handshake.ts';

/** Key, pointer and clipboard (RFC 6143 §7.5), and QEMU's key messages. noVNC begins a message with each. */
const inputMessages: ReadonlySet<number | undefined> = new Set([4, 5, 6, 255]);

/** A VNC screen: RFB (RFC 6143) in the WebSocket's binary messages. */
export function connectVnc(session: LiveSession, socket: WebSocket): void {
  joinScreen(session, socket, {
    async begin(target, browser) {
      const { secrets, options } = session.facts;
      const { password } = secrets;
      const bytes = password === undefined ? undefined : vncPasswordBytes(password, options.encoding);
      await shakeVncHands(target, browser, bytes);
      return target;
    },
    isInput: (message) => inputMessages.has(message[0]),
  });
}
