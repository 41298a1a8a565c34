import { type KeyboardEvent, type ReactNode, useRef } from 'react';

export type TabItem<Key extends string> = { key: Key; label: ReactNode };

type TabListProps<Key extends string> = {
  /** The prefix of the ids of tabs and panels. */
  id: string;
  /** Names the tabs for screen readers. */
  label: string;
  tabs: readonly TabItem<Key>[];
  chosen: Key;
  onChoose: (key: Key) => void;
  classNames: { list: string | undefined; tab: string | undefined };
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
 * The row of tabs of the ARIA Authoring Practices, with manual activation: arrows move the focus, and Enter shows the
 * panel, whose first field may take the focus then.
 */
export function TabList<Key extends string>({ id, label, tabs, chosen, onChoose, classNames }: TabListProps<Key>) {
  const list = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent<HTMLButtonElement>, index: number) {
    const next = indexAfter(event.key, index, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }
  return (
    <div ref={list} className={classNames.list} role="tablist" aria-label={label}>
      {tabs.map(({ key, label: word }, index) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`${id}-${key}`}
          className={classNames.tab}
          aria-selected={key === chosen}
          aria-controls={`${id}-${key}-panel`}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
          onKeyDown={(event) => move(event, index)}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
