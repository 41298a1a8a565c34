import { App } from 'antd';
import { useCallback } from 'react';
import { sharedText } from '../../text/shared.ts';

type Question = { title: string; text: string; confirm: string; onConfirm: () => void };

/** Asks before something that cannot be taken back. What it leads to is told elsewhere: the question closes at once. */
export function useAsk(): (question: Question) => void {
  const { modal } = App.useApp();
  return useCallback(
    ({ title, text, confirm, onConfirm }) => {
      void modal.confirm({
        title,
        content: text,
        okText: confirm,
        okButtonProps: { danger: true },
        cancelText: sharedText.cancel,
        focusable: { autoFocusButton: 'cancel' },
        onOk: () => onConfirm(),
      });
    },
    [modal],
  );
}
