import { RECENT_CHANGES_SECONDS } from '@tongtu/contract/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refetchChanged } from './refetch-changed.ts';
import { topicOf } from './topic-of.ts';

type LiveState = 'connecting' | 'open' | 'lost';

const reopenAfterMs = 3000;
const topics: Record<string, readonly string[]> = {
  devices: ['devices'],
  announcements: ['announcements'],
  verifications: ['verifications'],
  shared_with_me: ['shared_with_me'],
  profile: ['profile'],
  cloud_apps: ['devices', 'cloud-apps'],
  cloud_app_sessions: ['cloud-app-sessions'],
  orders: ['orders'],
};

/** By the wall clock, as the other one stands still while a computer sleeps. */
function isPageRecent(): boolean {
  return Date.now() - performance.timeOrigin < RECENT_CHANGES_SECONDS * 1000;
}

/**
 * Follows `/api/user/events/`: refetches what changed, and everything after a gap. While a page has just been loaded,
 * there is none: its first stream begins with what changed meanwhile. A hidden tab closes its stream, because over
 * HTTP/1.1 a browser has six connections for all tabs and the seventh tab would never load.
 */
export function useLiveUpdates(): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');

  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;

    function refetchTopic(topic: string) {
      const queryKey = topics[topic];
      if (queryKey) void refetchChanged(queryClient, queryKey);
    }

    function open() {
      const isWithRecent = isFirst;
      const stream = new EventSource(isWithRecent ? '/api/user/events/?recent=1' : '/api/user/events/');
      source = stream;
      stream.addEventListener('open', () => {
        setState('open');
        isFirst = false;
        if (isWithRecent && isPageRecent()) return;
        for (const topic of Object.keys(topics)) refetchTopic(topic);
      });
      stream.addEventListener('message', (event: MessageEvent<string>) => {
        const topic = topicOf(event.data);
        if (topic !== undefined) refetchTopic(topic);
      });
      stream.addEventListener('error', () => {
        setState('lost');
        // The browser reconnects after a broken stream, always to the same address, but not after an HTTP error.
        if (isWithRecent) stream.close();
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenAfterMs);
      });
    }

    function close() {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    }

    function follow() {
      const isHidden = document.visibilityState === 'hidden';
      if (isHidden) close();
      else if (source === undefined) open();
    }

    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, [queryClient]);

  return state;
}
