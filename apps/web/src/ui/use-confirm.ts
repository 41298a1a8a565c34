import { App } from 'antd';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { uiText } from './ui-text.ts';

type Question = {
  title: string;
  text: ReactNode;
  confirm: string;
  /** 取消, where nothing says more. */
  cancel?: string;
  /** What may as well be switched back has no red button. */
  canBeUndone?: true;
  onConfirm: () => void;
};

/**
 * Asks before something that nobody may do by accident: Enter leaves it undone. What it leads to is told elsewhere: the
 * question closes at once. It also closes, undone, when the component that asked is unmounted, by the browser's back button for example.
 */
export function useConfirm(): (question: Question) => void {
  const { modal } = App.useApp();
  const asked = useRef<{ destroy: () => void }>(undefined);
  useEffect(() => () => asked.current?.destroy(), []);
  return useCallback(
    ({ title, text, confirm, cancel = uiText.cancel, canBeUndone, onConfirm }) => {
      asked.current = modal.confirm({
        title,
        content: text,
        okText: confirm,
        okButtonProps: { danger: canBeUndone !== true },
        cancelText: cancel,
        focusable: { autoFocusButton: 'cancel' },
        onOk: () => onConfirm(),
      });
    },
    [modal],
  );
}
