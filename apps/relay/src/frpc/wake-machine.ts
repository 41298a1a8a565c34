import { magicPacket } from '@tongtu/base';
import type { ProbeResult } from '@tongtu/contract';
import { encodeFrpMessage, type Wire } from '@tongtu/frp';
import type { TakeConnection } from './coded-connection.ts';

const TAKE_TIMEOUT_MS = 5_000;
/** The packet is sent by then; nobody answers it. */
const SENT_AFTER_MS = 500;
/** Only names the conversation; frpc sends to the address in its configuration. */
const CONVERSATION = { IP: '192.0.2.1', Port: 9, Zone: '' };

export type WakeDeps = {
  wire: Wire;
  monotonicMs: () => number;
  /** A work connection of the udp proxy. */
  takeConnection: TakeConnection;
};

/** Sends the packet that wakes a machine through frpc's udp proxy. Always answers. */
export function wakeMachine({ wire, monotonicMs, takeConnection }: WakeDeps, mac: string): Promise<ProbeResult> {
  const startedAtMs = monotonicMs();
  const packet = magicPacket(mac);
  return new Promise((resolve) => {
    const answer = (ok: boolean, seen: string) =>
      resolve({ ok, step: 'udp', ms: Math.round(monotonicMs() - startedAtMs), seen });
    if (packet === undefined) return answer(false, 'not_possible');
    const timer = setTimeout(() => {
      giveUp();
      answer(false, 'timeout');
    }, TAKE_TIMEOUT_MS);
    const giveUp = takeConnection((stream) => {
      clearTimeout(timer);
      const end = () => stream.reset();
      stream.events = { onData: end, onEnd: end, onReset: end, onDrain() {} };
      stream.write(encodeFrpMessage(wire, 'UDPPacket', { c: packet.toString('base64'), l: null, r: CONVERSATION }));
      setTimeout(() => {
        stream.end(); // its own end follows; a reset would be a warning in its log
        answer(true, 'sent');
      }, SENT_AFTER_MS);
    });
  });
}
