import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './plain-form.module.css';

type Tab<Key extends string> = { key: Key; label: string; content: ReactNode };
type PlainTabsProps<Key extends string> = {
  /** Names the tabs for screen readers. */
  label: string;
  tabs: readonly Tab<Key>[];
  chosen: Key;
  onChoose: (key: Key) => void;
};

/** The index that a key of the keyboard leads to. */
function indexAfter(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/**
 * Tabs of the ARIA Authoring Practices, with manual activation: arrows move the focus, and Enter shows the panel, whose
 * first field may take the focus then. A panel that was shown keeps what was typed into it.
 */
export function PlainTabs<Key extends string>({ label, tabs, chosen, onChoose }: PlainTabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<readonly Key[]>([chosen]);
  if (!shown.includes(chosen)) setShown([...shown, chosen]);

  function move(event: KeyboardEvent<HTMLButtonElement>, index: number) {
    const next = indexAfter(event.key, index, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }
  return (
    <>
      <div ref={list} className={styles.tabs} role="tablist" aria-label={label}>
        {tabs.map((tab, index) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            className={styles.tab}
            aria-selected={tab.key === chosen}
            aria-controls={`${id}-${tab.key}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            onClick={() => onChoose(tab.key)}
            onKeyDown={(event) => move(event, index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.key}
          role="tabpanel"
          id={`${id}-${tab.key}-panel`}
          aria-labelledby={`${id}-${tab.key}`}
          hidden={tab.key !== chosen}
        >
          {shown.includes(tab.key) && tab.content}
        </div>
      ))}
    </>
  );
}
