import { dialUdp } from '../forward/dial-udp.ts';
import { targetErrorOf } from '../forward/target-error.ts';

/** The system reports a missing host after three ARP requests of one second each. */
const SILENCE_MS = 3_500;

/**
 * Sends an empty datagram and waits for a reply. Silence proves nothing, as few services answer an empty datagram.
 * Throws TargetError where the target refuses or cannot be reached; an abort rejects with its reason.
 */
export async function askUdp(address: string, port: number, signal: AbortSignal): Promise<'answered' | 'silent'> {
  const socket = await dialUdp(address, port);
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(targetErrorOf(error));
      abort = () => fail(signal.reason);
      timer = setTimeout(() => resolve('silent'), SILENCE_MS);
      signal.addEventListener('abort', abort, { once: true });
      socket.once('message', () => resolve('answered'));
      socket.once('error', fail);
      socket.send('', (error) => {
        if (error !== null) fail(error);
      });
      if (signal.aborted) abort();
    });
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal.removeEventListener('abort', abort);
    socket.close();
  }
}
