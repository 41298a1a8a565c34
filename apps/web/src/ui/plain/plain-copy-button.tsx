import { CheckOutlined, CopyOutlined } from '@ant-design/icons-svg';
import { type MouseEvent, useState } from 'react';
import { copyText } from '../copy/copy-text.ts';
import { uiText } from '../ui-text.ts';
import { PlainIcon } from './plain-icon.tsx';
import styles from './plain.module.css';

type PlainCopyButtonProps = {
  text: string;
  /** What the button copies, for screen readers. */
  label: string;
};

/** Copies a text, and says whether that worked. */
export function PlainCopyButton({ text, label }: PlainCopyButtonProps) {
  const [isCopied, setIsCopied] = useState<boolean>();
  async function copy(event: MouseEvent<HTMLElement>) {
    setIsCopied(await copyText(text, event.currentTarget));
  }
  return (
    <>
      <span role="status">{isCopied !== undefined && (isCopied ? uiText.copied : uiText.copyFailed)}</span>
      <button
        type="button"
        className={styles.iconButton}
        aria-label={uiText.copy(label)}
        title={uiText.copy(label)}
        onClick={(event) => void copy(event)}
      >
        <PlainIcon of={isCopied === true ? CheckOutlined : CopyOutlined} />
      </button>
    </>
  );
}
