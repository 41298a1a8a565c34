import { Input } from 'antd';
import { useState } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';

type PasteDialogProps = { onPaste: (text: string) => void; onClose: () => void };

/** For browsers that let no page read the clipboard, as over plain http. */
export function PasteDialog({ onPaste, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  function send() {
    onClose();
    onPaste(text);
  }
  return (
    <Dialog
      title={terminalText.pasteTitle}
      okText={terminalText.send}
      okButtonProps={{ disabled: text === '' }}
      onOk={send}
      onClose={onClose}
    >
      <p>{terminalText.pasteHint}</p>
      <Input.TextArea
        autoFocus
        rows={5}
        value={text}
        aria-label={terminalText.pasteLabel}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
