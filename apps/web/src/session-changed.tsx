import { Button, Modal } from 'antd';
import { sharedText } from './text/shared.ts';

const { title, lines, reload } = sharedText.sessionChanged;

/** Over a page of somebody who is not logged in here any more: nothing on it is for the one who is now. */
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
