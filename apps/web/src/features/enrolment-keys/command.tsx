import type { ReactNode } from 'react';
import { addDeviceText } from '../../text/devices/devices.ts';
import { CopyButton } from '../../ui/copy/copy-button.tsx';
import styles from './enrolment-keys.module.css';

type CommandProps = {
  command: string;
  hint?: string;
  /** What is copied, for screen readers. */
  label?: string;
  children?: ReactNode;
};

/** A command to paste, with its button. */
export function Command({ command, hint, label = addDeviceText.command, children }: CommandProps) {
  return (
    <div>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <div className={styles.command}>
        <pre>{command}</pre>
        <CopyButton text={command} label={label} type="primary" size="middle">
          {addDeviceText.copy}
        </CopyButton>
      </div>
      {children}
    </div>
  );
}

/**
 * Not `sudo` within the line: sudo logs what `VAR=value` and `--preserve-env=VAR` hand over, so the token, too, and
 * sudo-rs ignores `-E`.
 */
export function WithoutRoot() {
  return (
    <p className={styles.note}>
      {addDeviceText.notRoot} <code>sudo -i</code> {addDeviceText.notRootElse}
    </p>
  );
}
