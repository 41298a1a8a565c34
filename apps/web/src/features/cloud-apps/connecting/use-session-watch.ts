import type { CloudAppOpened, WatchFromGateway } from '@tongtu/contract';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EndReason } from '../app-screen.ts';
import { socketUrl } from './socket-url.ts';

/** How long to wait before each new try. After the last one the session is given up. */
const retryAfterMs = [500, 1_500, 4_000, 8_000];

type SessionWatch<Message> = {
  /** Below the path of the session. */
  path: string;
  onEnded: (reason: EndReason) => void;
  /** What else the gateway says there. */
  onMessage?: (message: Message) => void;
  /** At the beginning, and after each reconnection: the gateway knows nothing of before. */
  onOpen?: () => void;
};

/** Learns when the session ends, warns before the idle end, and keeps the session while the page is open. */
export function useSessionWatch<Message extends { type: string } = never>(
  session: CloudAppOpened,
  { path, ...on }: SessionWatch<Message>,
) {
  const [warning, setWarning] = useState<{ seconds: number; number: number }>();
  const [isCut, setIsCut] = useState(false);
  const socket = useRef<WebSocket>(undefined);

  const end = useEffectEvent((reason: EndReason) => {
    setWarning(undefined);
    setIsCut(false);
    on.onEnded(reason);
  });
  const receive = useEffectEvent((message: WatchFromGateway | Message) => {
    if (isFailed(message)) return end(message.reason);
    if (!isWarning(message)) return on.onMessage?.(message);
    setWarning((before) => ({ seconds: message.seconds, number: (before?.number ?? 0) + 1 }));
  });
  const begin = useEffectEvent(() => {
    setIsCut(false);
    on.onOpen?.();
  });

  useEffect(() => {
    let failures = 0;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function open() {
      const opened = new WebSocket(socketUrl(session.path + path, window.location.href));
      socket.current = opened;
      opened.addEventListener('open', () => {
        failures = 0;
        begin();
      });
      opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as WatchFromGateway | Message; // the gateway sends nothing else
        if (message.type === 'failed') isOver = true;
        receive(message);
      });
      // An error is always followed by close.
      opened.addEventListener('close', () => {
        if (isOver) return;
        setIsCut(true);
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
  }, [session, path]);

  const send = useCallback((message: object) => {
    if (socket.current?.readyState === WebSocket.OPEN) socket.current.send(JSON.stringify(message));
  }, []);
  return {
    warning,
    /** The connection to the gateway was lost and is being opened again. */
    isCut,
    send,
    /** Any message puts the end off. */
    stay() {
      setWarning(undefined);
      send({ type: 'stay' });
    },
  };
}

type Typed = { type: string };

function isFailed(message: Typed): message is Extract<WatchFromGateway, { type: 'failed' }> {
  return message.type === 'failed';
}

function isWarning(message: Typed): message is Extract<WatchFromGateway, { type: 'idle_warning' }> {
  return message.type === 'idle_warning';
}
