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

/**
 * Follows `/api/user/events/`: refetches what changed, and everything after a gap. A hidden tab closes its stream,
 * because over HTTP/1.1 a browser has six connections for all tabs and the seventh tab would never load.
 */
export function useLiveUpdates(): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');

  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function refetchTopic(topic: string) {
      const queryKey = topics[topic];
      if (queryKey) void refetchChanged(queryClient, queryKey);
    }

    function open() {
      const stream = new EventSource('/api/user/events/');
      source = stream;
      stream.addEventListener('open', () => {
        setState('open');
        for (const topic of Object.keys(topics)) refetchTopic(topic);
      });
      stream.addEventListener('message', (event: MessageEvent<string>) => {
        const topic = topicOf(event.data);
        if (topic !== undefined) refetchTopic(topic);
      });
      stream.addEventListener('error', () => {
        setState('lost');
        // The browser reconnects after a broken stream, but not after an HTTP error.
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
