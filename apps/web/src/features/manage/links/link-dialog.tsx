import { Button } from 'antd';
import type { ReactNode } from 'react';
import { sharedText } from '../../../text/shared.ts';
import { linkText } from '../../../text/manage.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';

type LinkDialogProps = {
  title: string;
  submit: { word: string; isPending: boolean; onSubmit: () => void };
  /** The link once it is made. Then only the button closes the dialog, so that nobody loses the link by accident. */
  result: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A form that ends with a one-time link in its place. */
export function LinkDialog({ title, submit, result, onClose, children }: LinkDialogProps) {
  const isMade = result !== undefined;
  return (
    <Dialog
      title={title}
      // What is being made would be lost.
      confirmLoading={submit.isPending}
      {...(isMade ? {} : { onClose })}
      footer={
        isMade ? (
          // The form that had the focus is unmounted. The key makes this another button than 取消, so that it is focused.
          <Button key="done" type="primary" autoFocus onClick={onClose}>
            {linkText.done}
          </Button>
        ) : (
          <>
            <Button disabled={submit.isPending} onClick={onClose}>
              {sharedText.cancel}
            </Button>
            <Button type="primary" loading={submit.isPending} onClick={submit.onSubmit}>
              {submit.word}
            </Button>
          </>
        )
      }
    >
      {isMade ? result : children}
    </Dialog>
  );
}
