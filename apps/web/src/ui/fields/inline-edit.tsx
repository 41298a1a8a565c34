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
  const [isPending, setIsPending] = useState(false);
  /** The text when editing began. One that was not changed is not saved: another page may have changed it meanwhile. */
  const startedWith = useRef(value);
  /** The edit whose answer is awaited, until Escape ends it. A later one has nothing to do with the answer. */
  const saving = useRef<object>(undefined);
  const editButton = useRef<HTMLButtonElement>(null);
  const isEndedByKey = useRef(false);
  const isEditing = draft !== undefined;
  useEffect(() => {
    if (!isEditing && isEndedByKey.current) editButton.current?.focus();
    isEndedByKey.current = false;
  }, [isEditing]);

  function start() {
    startedWith.current = value;
    setDraft(value);
  }

  function stop() {
    saving.current = undefined;
    setIsPending(false);
    setDraft(undefined);
    setProblem(undefined);
  }

  function mistakeIn(text: string): string | undefined {
    if (text === '') return uiText.mustNotBeEmpty(label);
    return text.length > maxLength ? uiText.tooLong(label, maxLength) : undefined;
  }

  async function save() {
    const text = (draft ?? '').trim();
    if (saving.current !== undefined) return;
    if (text === startedWith.current) return stop();
    const mistake = mistakeIn(text);
    setProblem(mistake);
    if (mistake !== undefined) return;
    const own = (saving.current = {});
    setIsPending(true);
    const refused = await onSave(text);
    if (saving.current !== own) return;
    saving.current = undefined;
    setIsPending(false);
    if (refused === undefined) stop();
    else setProblem(refused);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter may end the composition of a Chinese input method; that is no submission.
    if (event.nativeEvent.isComposing) return;
    isEndedByKey.current = event.key === 'Escape' || event.key === 'Enter';
    if (event.key === 'Escape') stop();
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
          onClick={start}
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
        // What would be typed while the answer is awaited would be lost.
        readOnly={isPending}
        aria-busy={isPending}
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
