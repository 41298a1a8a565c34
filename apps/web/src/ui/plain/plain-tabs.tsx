import { type ReactNode, useId, useState } from 'react';
import styles from './plain-form.module.css';
import { type TabItem, TabList } from './tab-list.tsx';

type Tab<Key extends string> = TabItem<Key> & { content: ReactNode };
type PlainTabsProps<Key extends string> = {
  /** Names the tabs for screen readers. */
  label: string;
  tabs: readonly Tab<Key>[];
  chosen: Key;
  onChoose: (key: Key) => void;
};

/** Tabs with their panels. A panel that was shown keeps what was typed into it. */
export function PlainTabs<Key extends string>({ label, tabs, chosen, onChoose }: PlainTabsProps<Key>) {
  const id = useId();
  const [shown, setShown] = useState<readonly Key[]>([chosen]);
  if (!shown.includes(chosen)) setShown([...shown, chosen]);
  return (
    <>
      <TabList
        id={id}
        label={label}
        tabs={tabs}
        chosen={chosen}
        onChoose={onChoose}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      />
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
