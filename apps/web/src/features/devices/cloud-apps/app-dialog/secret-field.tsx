import { Button, Input } from 'antd';
import type { ReactNode } from 'react';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';
import type { SecretChoice } from './app-fields.ts';
import styles from './app-dialog.module.css';

type SecretFieldProps = {
  /** What it is, in the names of its buttons. */
  what: string;
  maxLength: number;
  /** Whether there is one that could be kept. */
  isStored: boolean;
  /** It would be deleted: the app gets another target. */
  isGoing: boolean;
  /** Many lines, as a key has. */
  isKey?: boolean;
  /** Shown after the field while something can be typed. */
  extra?: (set: (text: string) => void) => ReactNode;
  // Given by the form's item around it.
  id?: string;
  value?: SecretChoice;
  onChange?: (choice: SecretChoice) => void;
  'aria-describedby'?: string;
};

/** A secret that can be written but not read: the stored one is kept, replaced or cleared. */
export function SecretField(props: SecretFieldProps) {
  const { what, maxLength, isStored, isGoing, isKey = false, extra, id, value = { type: 'keep' }, onChange } = props;
  const set = (text: string) => onChange?.({ type: 'set', text });
  if (value.type !== 'set') {
    const isKept = value.type === 'keep';
    return (
      <span className={styles.stored}>
        {isKept && isGoing ? (
          <span className={styles.cleared}>{appFormText.willGo}</span>
        ) : (
          <span className={isKept ? styles.kept : styles.cleared}>
            {isKept ? appFormText.stored : appFormText.willClear}
          </span>
        )}
        <Button size="small" id={id} aria-label={appFormText.replaceLabel(what)} onClick={() => set('')}>
          {appFormText.replace}
        </Button>
        {isKept ? (
          <Button size="small" aria-label={appFormText.clearLabel(what)} onClick={() => onChange?.({ type: 'clear' })}>
            {appFormText.clear}
          </Button>
        ) : (
          <Keep what={what} onChange={onChange} />
        )}
      </span>
    );
  }
  const look = {
    id,
    value: value.text,
    maxLength,
    autoComplete: 'new-password',
    autoCapitalize: 'none',
    spellCheck: false,
    'aria-describedby': props['aria-describedby'],
  };
  return (
    <span className={styles.typed}>
      {isKey ? (
        <Input.TextArea
          {...look}
          rows={4}
          className={styles.key ?? ''}
          placeholder={appFormText.privateKeyPlaceholder}
          onChange={(event) => set(event.target.value)}
        />
      ) : (
        <Input.Password {...look} onChange={(event) => set(event.target.value)} />
      )}
      {extra?.(set)}
      {isStored && <Keep what={what} onChange={onChange} />}
    </span>
  );
}

type KeepProps = { what: string; onChange: SecretFieldProps['onChange'] | undefined };

function Keep({ what, onChange }: KeepProps) {
  return (
    <Button
      size="small"
      type="link"
      aria-label={appFormText.keepLabel(what)}
      onClick={() => onChange?.({ type: 'keep' })}
    >
      {appFormText.keep}
    </Button>
  );
}
