import { App } from 'antd';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { uiText } from './ui-text.ts';

type Question = {
  title: string;
  text: ReactNode;
  confirm: string;
  /** 取消 by default. */
  cancel?: string;
  /** Without it the confirming button is red. */
  canBeUndone?: true;
  onConfirm: () => void;
};

/**
 * Asks before an action that must not happen by accident; Enter cancels. The dialog closes at once, so the caller shows
 * the outcome elsewhere. It also closes, as cancelled, when the component that asked is unmounted, for example by the
 * back button.
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
