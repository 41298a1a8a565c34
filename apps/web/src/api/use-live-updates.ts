import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

type LiveState = 'connecting' | 'open' | 'lost';

const reopenAfterMs = 3000;
const topics: Record<string, readonly string[]> = {
  devices: ['devices'],
  announcements: ['announcements'],
};

function topicOf(text: string): string | undefined {
  try {
    const event: unknown = JSON.parse(text);
    return typeof event === 'object' && event !== null && 'topic' in event ? String(event.topic) : undefined;
  } catch {
    return undefined; // not ours; the next poll brings what it may have said
  }
}

/** Follows `/api/user/events/`: refetches what changed, and everything after a gap. */
export function useLiveUpdates(): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');

  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function refetchTopic(topic: string) {
      const queryKey = topics[topic];
      if (queryKey) void queryClient.invalidateQueries({ queryKey });
    }

    function open() {
      source = new EventSource('/api/user/events/');
      source.addEventListener('open', () => {
        setState('open');
        for (const topic of Object.keys(topics)) refetchTopic(topic);
      });
      source.addEventListener('message', (event: MessageEvent<string>) => {
        const topic = topicOf(event.data);
        if (topic !== undefined) refetchTopic(topic);
      });
      source.addEventListener('error', () => {
        setState('lost');
        // The browser reconnects by itself after a broken stream, but gives up for good on an HTTP error.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenAfterMs);
      });
    }

    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [queryClient]);

  return state;
}
