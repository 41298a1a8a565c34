import { EditOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { uiText } from '../ui-text.ts';
import styles from '../ui.module.css';

type InlineEditProps = {
  value: string;
  /** The value as it is drawn while nobody edits it; the plain value by default. */
  shown?: ReactNode;
  /** The label, e.g. 设备名称. */
  label: string;
  maxLength: number;
  /** Resolves to undefined when saved, else to the error message. */
  onSave: (value: string) => Promise<string | undefined>;
};

/** A text with an edit button. Enter or blur saves, Escape cancels; after these keys the button has the focus again. */
export function InlineEdit({ value, shown = value, label, maxLength, onSave }: InlineEditProps) {
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const isSaving = useRef(false);
  /** Escape while the answer is awaited. */
  const isStopped = useRef(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const isEndedByKey = useRef(false);
  const isEditing = draft !== undefined;
  useEffect(() => {
    if (!isEditing && isEndedByKey.current) editButton.current?.focus();
    isEndedByKey.current = false;
  }, [isEditing]);

  function stop() {
    setDraft(undefined);
    setProblem(undefined);
  }

  function mistakeIn(text: string): string | undefined {
    if (text === '') return uiText.mustNotBeEmpty(label);
    return text.length > maxLength ? uiText.tooLong(label, maxLength) : undefined;
  }

  async function save() {
    const text = (draft ?? '').trim();
    if (isSaving.current) return;
    if (text === value) return stop();
    const mistake = mistakeIn(text);
    setProblem(mistake);
    if (mistake !== undefined) return;
    isSaving.current = true;
    const refused = await onSave(text);
    isSaving.current = false;
    if (refused === undefined) stop();
    else if (!isStopped.current) setProblem(refused);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter may end the composition of a Chinese input method; that is no submission.
    if (event.nativeEvent.isComposing) return;
    isEndedByKey.current = event.key === 'Escape' || event.key === 'Enter';
    if (event.key === 'Escape') {
      isStopped.current = true;
      stop();
    }
    if (event.key === 'Enter') void save();
  }

  if (!isEditing) {
    return (
      <span className={styles.inlineEdit}>
        <span className={styles.inlineValue} title={value}>
          <bdi>{shown}</bdi>
        </span>
        <Button
          ref={editButton}
          type="text"
          size="small"
          icon={<EditOutlined />}
          aria-label={uiText.edit(label)}
          title={uiText.edit(label)}
          onClick={() => {
            isStopped.current = false;
            setDraft(value);
          }}
        />
      </span>
    );
  }
  return (
    <span className={styles.inlineEdit}>
      <Input
        autoFocus
        size="small"
        value={draft}
        aria-label={label}
        {...(problem === undefined ? {} : { status: 'error' })}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
      />
      {problem !== undefined && (
        <span className={styles.inlineError} role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}
