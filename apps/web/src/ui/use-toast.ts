import { App } from 'antd';
import { createElement, useMemo } from 'react';
import { type Link, TextWithLink } from './text-with-link.tsx';

/** A message with an address is read and clicked, not only seen. */
const linkShownSeconds = 8;

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
      /** Ends with an address that opens in a new tab. */
      successWithLink(text: string, link: Link) {
        const content = createElement(TextWithLink, { text, link });
        void message.open({ type: 'success', content, key: link.url, duration: linkShownSeconds });
      },
    };
  }, [message]);
}
