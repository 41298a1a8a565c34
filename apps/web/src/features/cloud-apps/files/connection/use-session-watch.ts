import type { CloudAppOpened, WatchFromGateway } from '@tongtu/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EndReason } from '../../app-screen.ts';
import { socketUrl } from '../../connecting/socket-url.ts';

/** How long to wait before each new try. After the last one the session is given up. */
const retryAfterMs = [500, 1_500, 4_000, 8_000];

/** Learns when the session ends, warns before the idle end, and keeps the session while the page is open. */
export function useSessionWatch(session: CloudAppOpened, onEnded: (reason: EndReason) => void) {
  const [warning, setWarning] = useState<{ seconds: number; number: number }>();
  const socket = useRef<WebSocket>(undefined);

  const end = useEffectEvent((reason: EndReason) => {
    setWarning(undefined);
    onEnded(reason);
  });
  const receive = useEffectEvent((message: WatchFromGateway) => {
    if (message.type === 'failed') return end(message.reason);
    setWarning((before) => ({ seconds: message.seconds, number: (before?.number ?? 0) + 1 }));
  });

  useEffect(() => {
    let failures = 0;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function open() {
      const opened = new WebSocket(socketUrl(`${session.path}files/watch`, window.location.href));
      socket.current = opened;
      opened.addEventListener('open', () => {
        failures = 0;
      });
      opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as WatchFromGateway; // the gateway sends nothing else
        if (message.type === 'failed') isOver = true;
        receive(message);
      });
      // An error is always followed by close.
      opened.addEventListener('close', () => {
        if (isOver) return;
        const afterMs = retryAfterMs[failures++];
        if (afterMs !== undefined) timer = setTimeout(open, afterMs);
        else end('disconnected');
      });
    }
    open();
    return () => {
      isOver = true;
      clearTimeout(timer);
      socket.current?.close();
    };
  }, [session]);

  return {
    warning,
    /** Any message puts the end off. */
    stay() {
      setWarning(undefined);
      if (socket.current?.readyState === WebSocket.OPEN) socket.current.send('{}');
    },
  };
}
