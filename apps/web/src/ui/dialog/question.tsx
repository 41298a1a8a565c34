import { ExclamationCircleFilled } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { uiText } from '../ui-text.ts';
import styles from './dialog.module.css';
import { DialogFrame } from './dialog-frame.tsx';
import { initialFocus } from './use-dialog-focus.ts';

const widthPx = 416;

export type QuestionProps = {
  title: string;
  text: ReactNode;
  confirm: string;
  /** 取消 by default. */
  cancel?: string;
  /** Without it the confirming button is red. */
  canBeUndone?: true;
  onConfirm: () => void;
};

/** Asks before an action that must not happen by accident; Enter cancels. Each answer calls `onClose` first. */
export function Question({ onClose, ...question }: QuestionProps & { onClose: () => void }) {
  const { title, text, confirm, cancel = uiText.cancel, canBeUndone, onConfirm } = question;
  return (
    <DialogFrame
      centered
      closable={false}
      width={widthPx}
      title={
        <span className={styles.question}>
          <ExclamationCircleFilled className={styles.questionIcon} aria-hidden />
          {title}
        </span>
      }
      okText={confirm}
      okButtonProps={{ danger: canBeUndone !== true }}
      cancelText={cancel}
      cancelButtonProps={initialFocus}
      onOk={() => {
        onClose();
        onConfirm();
      }}
      onCancel={onClose}
      onLeave={onClose}
    >
      <div className={styles.questionText}>{text}</div>
    </DialogFrame>
  );
}
