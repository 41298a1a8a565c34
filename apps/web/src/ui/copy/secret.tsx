import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Mono } from '../mono.tsx';
import { plainText } from '../plain/plain-text.ts';
import styles from '../ui.module.css';

const shownHead = 4;
const shownTail = 4;

/** Enough characters to recognise a secret, too few to use it. */
function maskSecret(secret: string): string {
  if (secret.length < (shownHead + shownTail) * 2) return '••••••••';
  return `${secret.slice(0, shownHead)}••••••${secret.slice(-shownTail)}`;
}

type SecretProps = {
  secret: string;
  label: string;
};

/** A secret that is hidden until the user shows it. It can be copied while hidden. */
export function Secret({ secret, label }: SecretProps) {
  const [isShown, setIsShown] = useState(false);
  const toggle = isShown ? plainText.hide(label) : plainText.reveal(label);
  return (
    <span className={styles.secret}>
      <span className={isShown ? undefined : styles.oneLine}>
        <Mono>{isShown ? secret : maskSecret(secret)}</Mono>
      </span>
      <Button
        type="text"
        size="small"
        icon={isShown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
        onClick={() => setIsShown(!isShown)}
        aria-label={toggle}
        aria-pressed={isShown}
        title={toggle}
      />
      <CopyButton text={secret} label={label} />
    </span>
  );
}
