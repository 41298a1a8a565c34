import { Button } from 'antd';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { plainName } from '../../../text/devices/names.ts';
import connectingStyles from '../connecting/connecting.module.css';
import styles from './terminal.module.css';

const shownCharacters = 300;

type ClipboardNoticeProps = { text: string; onAllow: (near: HTMLElement) => void; onRefuse: () => void };

/** A program at the target wants to set the clipboard. It is no dialog: a program must not be able to take the focus. */
export function ClipboardNotice({ text, onAllow, onRefuse }: ClipboardNoticeProps) {
  return (
    <div className={connectingStyles.line} role="status">
      <span className={connectingStyles.lineText}>
        {terminalText.clipboardTitle}
        <span className={styles.clip}>{plainName(text.slice(0, shownCharacters))}</span>
        {text.length > shownCharacters && terminalText.characters(text.length)}
      </span>
      <Button size="small" type="primary" onClick={(event) => onAllow(event.currentTarget)}>
        {terminalText.allowClipboard}
      </Button>
      <Button size="small" onClick={onRefuse}>
        {terminalText.refuseClipboard}
      </Button>
    </div>
  );
}
