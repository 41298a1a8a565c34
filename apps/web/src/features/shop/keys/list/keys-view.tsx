import { Button, Checkbox } from 'antd';
import type { PlaceKey } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useProfile } from '../../../../api/index.ts';
import { keysText } from '../../../../text/shop/keys.ts';
import { Pages } from '../../../../ui/page/pages.tsx';
import { Loaded } from '../../loaded.tsx';
import styles from '../../shop.module.css';
import { pageSize, usePlaceKeys } from '../use-keys.ts';
import { ExportButton } from './export-button.tsx';
import { type KeyFilters, listQuery, readFilters, writeFilters } from './key-filters.ts';
import { KeyQrDialog } from './key-qr-dialog.tsx';
import { KeyRow } from './key-row.tsx';
import { KeyToolbar } from './key-toolbar.tsx';
import { MarkDialog } from './mark-dialog.tsx';

/** In a chunk of its own, because its calendar is large. */
const MakeDialog = lazy(async () => ({ default: (await import('./make-dialog.tsx')).MakeDialog }));

type Dialog = { type: 'make' } | { type: 'mark'; keys: readonly string[] | undefined } | { type: 'qr'; text: string };

/** The keys of one's places: by place, batch and status. */
export function KeysView() {
  const profile = useProfile();
  const [query, setQuery] = useSearchParams();
  const filters = readFilters(query);
  const keys = usePlaceKeys(listQuery(filters));
  const [dialog, setDialog] = useState<Dialog>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isStaff = profile !== undefined && hasRole(profile, 'staff');
  function change(changes: Partial<KeyFilters>) {
    setChosen(new Set());
    // The filters of the moment: a search arrives after a pause in typing.
    setQuery((current) => writeFilters({ ...readFilters(current), page: 1, ...changes }), { replace: true });
  }
  return (
    <section className={`${styles.panel} ${styles.stack}`} aria-label={keysText.title}>
      <div className={styles.actions}>
        {isStaff && (
          <Button type="primary" onClick={() => setDialog({ type: 'make' })}>
            {keysText.make}
          </Button>
        )}
        <Button onClick={() => setDialog({ type: 'mark', keys: undefined })}>{keysText.markMany}</Button>
        <ExportButton filters={filters} />
      </div>
      <KeyToolbar filters={filters} onChange={change} />
      <Loaded query={keys} failed={keysText.failed}>
        {({ count, results }) => (
          <div aria-busy={keys.isPlaceholderData}>
            {count === 0 && <p className={styles.quiet}>{keysText.none}</p>}
            {count > 0 && (
              <Chosen
                keys={results}
                count={count}
                chosen={chosen}
                onChoose={setChosen}
                onMark={() => setDialog({ type: 'mark', keys: [...chosen] })}
              />
            )}
            <ul className={styles.list}>
              {results.map((key) => (
                <KeyRow
                  key={key.id}
                  placeKey={key}
                  isChosen={key.text !== null && chosen.has(key.text)}
                  onChoose={(text, isChosen) => setChosen(withKey(chosen, text, isChosen))}
                  onQr={(text) => setDialog({ type: 'qr', text })}
                  onBatch={(batch) => change({ batch })}
                />
              ))}
            </ul>
            <Pages
              label={keysText.pages}
              page={filters.page}
              pageSize={pageSize}
              count={count}
              onChange={(page) => change({ page })}
            />
          </div>
        )}
      </Loaded>
      {dialog?.type === 'make' && (
        <Suspense>
          <MakeDialog place={filters.place} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog?.type === 'qr' && <KeyQrDialog text={dialog.text} onClose={() => setDialog(undefined)} />}
      {dialog?.type === 'mark' && (
        <MarkDialog chosen={dialog.keys} onMarked={() => setChosen(new Set())} onClose={() => setDialog(undefined)} />
      )}
    </section>
  );
}

function withKey(chosen: ReadonlySet<string>, text: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (isChosen) next.add(text);
  else next.delete(text);
  return next;
}

type ChosenProps = {
  keys: readonly PlaceKey[];
  count: number;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onMark: () => void;
};

/** Only keys that can still be handed out have a text, and only these can be marked. */
function Chosen({ keys, count, chosen, onChoose, onMark }: ChosenProps) {
  const texts = keys.map(({ text }) => text).filter((text) => text !== null);
  const isAll = texts.length > 0 && texts.every((text) => chosen.has(text));
  return (
    <div className={styles.row}>
      <Checkbox
        checked={isAll}
        indeterminate={!isAll && chosen.size > 0}
        disabled={texts.length === 0}
        onChange={(event) => onChoose(new Set(event.target.checked ? texts : []))}
      >
        {keysText.chooseAll}
      </Checkbox>
      <span className={styles.quiet}>{keysText.count(count)}</span>
      {chosen.size > 0 && <Button onClick={onMark}>{keysText.markChosen(chosen.size)}</Button>}
    </div>
  );
}
