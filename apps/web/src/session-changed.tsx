import { Button, Modal } from 'antd';
import { sharedText } from './text/shared.ts';

const { title, lines, reload } = sharedText.sessionChanged;

/** Replaces the console of a user who is no longer logged in here, so that the next user does not see it. */
export function SessionChanged() {
  return (
    <Modal
      open
      centered
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      title={title}
      footer={
        <Button type="primary" autoFocus onClick={() => window.location.reload()}>
          {reload}
        </Button>
      }
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Modal>
  );
}
