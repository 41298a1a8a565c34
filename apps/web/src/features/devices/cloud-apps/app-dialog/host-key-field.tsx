import { Button } from 'antd';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';
import { Mono } from '../../../../ui/mono.tsx';
import styles from './app-dialog.module.css';

type HostKeyFieldProps = {
  stored: string;
  // Given by the form's item around it.
  id?: string;
  value?: string | null;
  onChange?: (hostKey: string | null) => void;
};

/** The host key that was accepted, which can be forgotten. */
export function HostKeyField({ stored, id, value, onChange }: HostKeyFieldProps) {
  const isKept = value !== null;
  const words = isKept
    ? { text: appFormText.clear, label: appFormText.clearLabel(appFormText.hostKey) }
    : { text: appFormText.keep, label: appFormText.keepLabel(appFormText.hostKey) };
  return (
    <span className={styles.stored}>
      <span className={styles.fingerprint}>
        {isKept ? <Mono>{stored}</Mono> : <span className={styles.cleared}>{appFormText.willClear}</span>}
      </span>
      <Button
        size="small"
        id={id}
        type={isKept ? 'default' : 'link'}
        aria-label={words.label}
        onClick={() => onChange?.(isKept ? null : stored)}
      >
        {words.text}
      </Button>
    </span>
  );
}
