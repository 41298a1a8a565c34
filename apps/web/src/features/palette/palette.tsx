import { SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { hasRole } from '@tongtu/contract/roles';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useDevices, useProfile, useSiteConfig } from '../../api/index.ts';
import { paletteText } from '../../text/palette.ts';
import { Dialog, nothingToKeep } from '../../ui/dialog/dialog.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { findEntries, type PaletteEntry, paletteEntries } from './palette-entries.ts';
import styles from './palette.module.css';

/** A phone has no such keys. */
const phone = '(pointer: coarse)';

type PaletteProps = { onClose: () => void; onShortcuts: () => void };

/** Finds devices, mappings, screens and actions: the combobox with a list box of the ARIA Authoring Practices Guide. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const { data: devices } = useDevices();
  const profile = useProfile();
  const hasShop = useSiteConfig()?.billing === 'on';
  const isStaff = profile !== undefined && profile !== null && hasRole(profile, 'staff');
  const hasKeyboard = !useMediaQuery(phone);
  const navigate = useNavigate();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const entries = useMemo(
    () => paletteEntries(devices ?? [], { hasShop, isStaff, hasKeyboard }),
    [devices, hasShop, isStaff, hasKeyboard],
  );
  const found = useMemo(() => findEntries(entries, typed), [entries, typed]);
  const chosen = found[Math.min(active, found.length - 1)];

  function run({ target }: PaletteEntry) {
    onClose();
    if ('path' in target) void navigate(target.path);
    else if ('url' in target) window.open(target.url, '_blank', 'noopener');
    else onShortcuts();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || found.length === 0) return;
    const current = Math.min(active, found.length - 1);
    const steps = new Map([
      ['ArrowDown', (current + 1) % found.length],
      ['ArrowUp', (current + found.length - 1) % found.length],
    ]);
    const next = steps.get(event.key);
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined) {
      if (chosen) run(chosen);
      return;
    }
    setActive(next);
    document.querySelector(`[id="${listId}-${next}"]`)?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <Dialog title={paletteText.title} footer={null} onClose={onClose} hasUnsavedInput={nothingToKeep}>
      <Input
        autoFocus
        size="large"
        prefix={<SearchOutlined aria-hidden />}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${listId}-${found.indexOf(chosen)}` : undefined}
        aria-label={paletteText.placeholder}
        placeholder={paletteText.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className={`${styles.status} ${typed === '' ? styles.keysHint : ''}`}>
        {typed === '' ? paletteText.hint : paletteText.found(found.length)}
      </p>
      <div id={listId} role="listbox" aria-label={paletteText.results} className={styles.list}>
        {found.map((entry, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox has the keys
          <div
            key={entry.key}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={entry === chosen}
            className={styles.entry}
            // The focus stays in the field.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setActive(index)}
            onClick={() => run(entry)}
          >
            <span className={styles.kind}>{paletteText.kinds[entry.kind]}</span>
            <span className={styles.words}>
              <bdi className={styles.label}>{entry.label}</bdi>
              {entry.note !== '' && <bdi className={styles.note}>{entry.note}</bdi>}
            </span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
