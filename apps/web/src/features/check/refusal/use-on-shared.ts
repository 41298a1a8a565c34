import { useEffect, useEffectEvent } from 'react';
import { topicOf } from '../../../api/live/topic-of.ts';

/** Calls back as soon as something is shared with this account. A hidden tab has no stream, like the console's. */
export function useOnShared(isAwaited: boolean, onShared: () => void): void {
  const onEvent = useEffectEvent(onShared);
  useEffect(() => {
    if (!isAwaited) return undefined;
    let source: EventSource | undefined;

    function follow() {
      source?.close();
      source = document.visibilityState === 'hidden' ? undefined : new EventSource('/api/user/events/');
      source?.addEventListener('message', ({ data }: MessageEvent<string>) => {
        if (topicOf(data) === 'shared_with_me') onEvent();
      });
    }

    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      source?.close();
    };
  }, [isAwaited]);
}
