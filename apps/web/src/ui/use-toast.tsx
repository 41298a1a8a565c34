import { App } from 'antd';
import { useMemo } from 'react';

/** A message with an address is read and clicked, not only seen. */
const linkShownSeconds = 8;

type Link = { text: string; url: string };

/** Short messages at the top of the console. Repeating a visible message restarts it. */
export function useToast() {
  const { message } = App.useApp();
  return useMemo(() => {
    const show = (type: 'success' | 'warning' | 'error') => (content: string) =>
      void message.open({ type, content, key: content });
    return {
      success: show('success'),
      warning: show('warning'),
      error: show('error'),
      /** Opens the address in a new tab. */
      successWithLink(words: string, link: Link) {
        const content = (
          <>
            {words}{' '}
            <a href={link.url} target="_blank" rel="noopener noreferrer">
              {link.text}
            </a>
          </>
        );
        void message.open({ type: 'success', content, key: link.url, duration: linkShownSeconds });
      },
    };
  }, [message]);
}
