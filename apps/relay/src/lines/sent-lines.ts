import type { Socket } from 'node:net';
import { MAX_SENT_LINES, type SentLine } from '@tongtu/contract';
import { readCongestionControl, readTcpInfo } from '../tcp/tcp-info.ts';

/** How what this relay sends over each of these connections fares. Undefined: the system does not say it. */
export function readSentLines(sockets: readonly Socket[]): SentLine[] | undefined {
  const lines = sockets.slice(0, MAX_SENT_LINES).flatMap((socket) => {
    const info = readTcpInfo(socket);
    if (info === undefined) return [];
    return {
      rttMs: info.rttMs,
      lossPercent: shareOf(info.bytesRetransmitted, info.bytesSent),
      congestionControl: readCongestionControl(socket)?.slice(0, 20) ?? null,
      bytesPerS: info.deliveryRateBytesPerS ?? null,
    };
  });
  return lines.length === 0 && sockets.length > 0 ? undefined : lines;
}

/** In percent. Null: unknown, or nothing was sent. */
function shareOf(part: number | undefined, whole: number | undefined): number | null {
  return part === undefined || whole === undefined || whole === 0 ? null : Math.min((part / whole) * 100, 100);
}
