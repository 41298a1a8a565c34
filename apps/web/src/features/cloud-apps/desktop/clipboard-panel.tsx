import { Button, Input } from 'antd';
import { useState } from 'react';
import { desktopText } from '../../../text/cloud-apps/desktop.ts';
import { copyText } from '../../../ui/copy/copy-text.ts';
import { useToast } from '../../../ui/use-toast.ts';
import styles from './desktop.module.css';

/** What a page sends at once. */
const maxCharacters = 100_000;

type ClipboardPanelProps = { received: string; onSend: (text: string) => void; onClose: () => void };

/** The clipboards of both sides. Neither is written without a press of a button here. */
export function ClipboardPanel({ received, onSend, onClose }: ClipboardPanelProps) {
  const toast = useToast();
  const [text, setText] = useState('');
  async function copy(near: HTMLElement) {
    if (await copyText(received, near)) toast.success(desktopText.copied);
    else toast.error(desktopText.copyFailed);
  }
  return (
    <section className={styles.clipboard} aria-label={desktopText.clipboard}>
      <label>
        {desktopText.fromDesktop}
        <Input.TextArea rows={4} readOnly value={received} placeholder={desktopText.nothingReceived} />
      </label>
      <Button disabled={received === ''} onClick={(event) => void copy(event.currentTarget)}>
        {desktopText.copy}
      </Button>
      <label>
        {desktopText.toDesktop}
        <Input.TextArea
          rows={4}
          autoFocus
          value={text}
          maxLength={maxCharacters}
          placeholder={desktopText.pasteHere}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div className={styles.clipboardActions}>
        <Button
          type="primary"
          disabled={text === ''}
          onClick={() => {
            onSend(text);
            toast.success(desktopText.sent);
          }}
        >
          {desktopText.send}
        </Button>
        <Button onClick={onClose}>{desktopText.closeClipboard}</Button>
      </div>
    </section>
  );
}
