import { Alert, Button, Input } from 'antd';
import { useState } from 'react';
import { desktopText } from '../../../text/cloud-apps/desktop.ts';
import { copyText } from '../../../ui/copy/copy-text.ts';
import { useToast } from '../../../ui/use-toast.ts';
import styles from './desktop.module.css';

/** What a page sends at once. */
const maxCharacters = 100_000;

type ClipboardPanelProps = {
  received: string;
  /** False when the target's clipboard cannot hold the text. */
  onSend: (text: string) => boolean;
  onType: (text: string) => void;
  onClose: () => void;
};

/** The clipboards of both sides. Neither is written without a press of a button here. */
export function ClipboardPanel({ received, onSend, onType, onClose }: ClipboardPanelProps) {
  const toast = useToast();
  const [text, setText] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  function send() {
    const isSent = onSend(text);
    setIsRefused(!isSent);
    if (isSent) toast.success(desktopText.sent);
  }
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
          onChange={(event) => {
            setIsRefused(false);
            setText(event.target.value);
          }}
        />
      </label>
      {isRefused && <Alert type="warning" showIcon title={desktopText.clipboardRefused} />}
      <div className={styles.clipboardActions}>
        <Button type="primary" disabled={text === ''} onClick={send}>
          {desktopText.send}
        </Button>
        {isRefused && <Button onClick={() => onType(text)}>{desktopText.typeInstead}</Button>}
        <Button onClick={onClose}>{desktopText.closeClipboard}</Button>
      </div>
    </section>
  );
}
