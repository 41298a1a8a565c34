import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { targetErrorOf } from './target-error.ts';

/** The system may allow less. It holds bursts that arrive while the event loop is busy. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024;

/**
 * A socket connected to this target: the system drops datagrams of other senders, and the socket emits `error` when the
 * target refuses. Throws TargetError.
 */
export async function dialUdp(address: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
  // Stays for the socket's whole life, so that an error between two owners cannot end the process.
  socket.on('error', () => {});
  try {
    await new Promise<void>((resolve, reject) => {
      // Node calls it with the error where there is one, which its types do not say.
      const onConnected = (error?: Error) => (error === undefined ? resolve() : reject(error));
      socket.connect(port, address, onConnected);
    });
    return socket;
  } catch (error) {
    socket.close();
    throw targetErrorOf(error);
  }
}
