import { Button } from 'antd';
import { sharedText } from './text/shared.ts';
import { Dialog } from './ui/dialog/dialog.tsx';
import { initialFocus } from './ui/dialog/use-dialog-focus.ts';

const { title, lines, reload } = sharedText.sessionChanged;

/** Replaces the console of a user who is no longer logged in here, so that the next user does not see it. */
export function SessionChanged() {
  return (
    <Dialog
      centered
      title={title}
      footer={
        <Button type="primary" {...initialFocus} onClick={() => window.location.reload()}>
          {reload}
        </Button>
      }
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Dialog>
  );
}
