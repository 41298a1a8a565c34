import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useOpenDialog } from '../dialog/use-open-dialog.ts';
import styles from './plain-form.module.css';

type PlainDialogProps = { title: string; footer: ReactNode; children: ReactNode; onClose: () => void };

/**
 * The browser's own modal dialog, for what is read: it keeps the focus inside and gives it back. Escape, Back and a click
 * beside it close it.
 */
export function PlainDialog({ title, footer, children, onClose }: PlainDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useOpenDialog({ onBack: onClose, hasUnsavedInput: () => false });
  // Before the element is removed, or the focus would not return.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.dialogBody}>
        <h2 id={id} className={styles.dialogTitle}>
          {title}
        </h2>
        {children}
        <div className={styles.dialogFooter}>{footer}</div>
      </div>
    </dialog>
  );
}
