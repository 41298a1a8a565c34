import { App } from 'antd';
import { useMemo } from 'react';

/** Short messages at the top of the console. Repeating a visible message restarts it. */
export function useToast() {
  const { message } = App.useApp();
  return useMemo(() => {
    const show = (type: 'success' | 'warning' | 'error') => (content: string) =>
      void message.open({ type, content, key: content });
    return { success: show('success'), warning: show('warning'), error: show('error') };
  }, [message]);
}
