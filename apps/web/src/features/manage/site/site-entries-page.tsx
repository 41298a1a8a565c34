import { PlusOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import type { ManagedSiteEntry } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { displayStateOf, displayStateTones, displayStateWords, displayTimesText } from '../../../text/display-times.ts';
import { siteEntriesText } from '../../../text/management/site-entries.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import styles from '../frame/frame.module.css';
import { ManageFrame } from '../frame/manage-frame.tsx';
import pageStyles from '../manage.module.css';
import { SiteEntryDialog } from './site-entry-dialog.tsx';
import { useRemoveSiteEntry, useSiteEntries } from './use-site-entries.ts';

type Kind = ManagedSiteEntry['kind'];
type Opened = { kind: Kind; entry: ManagedSiteEntry | undefined };
const kinds: readonly Kind[] = ['banner', 'community'];
const renewEveryMs = 20_000;

/** For staff: the banners, and the groups and links of 玩家交流. */
export function SiteEntriesPage() {
  return (
    <ManageFrame title={siteEntriesText.title}>
      <SiteEntries />
    </ManageFrame>
  );
}

function SiteEntries() {
  const query = useSiteEntries();
  const [opened, setOpened] = useState<Opened>();
  return (
    <>
      <p className={styles.hint}>{siteEntriesText.hint}</p>
      {query.isPending && <Skeleton active />}
      {query.data === undefined && query.error && (
        <LoadFailure title={siteEntriesText.failed} text={errorText(query.error)} query={query} />
      )}
      {query.data &&
        kinds.map((kind) => (
          <Entries
            key={kind}
            kind={kind}
            entries={query.data.filter((entry) => entry.kind === kind)}
            onOpen={(entry) => setOpened({ kind, entry })}
          />
        ))}
      {opened && <SiteEntryDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

type EntriesProps = {
  kind: Kind;
  entries: readonly ManagedSiteEntry[];
  onOpen: (entry: ManagedSiteEntry | undefined) => void;
};

function Entries({ kind, entries, onOpen }: EntriesProps) {
  return (
    <section className={pageStyles.panel} aria-label={siteEntriesText.kinds[kind]}>
      <div className={pageStyles.toolbar}>
        <h2 className={pageStyles.panelTitle}>{siteEntriesText.kinds[kind]}</h2>
        <Button icon={<PlusOutlined aria-hidden />} onClick={() => onOpen(undefined)}>
          {siteEntriesText.add[kind]}
        </Button>
      </div>
      {entries.length === 0 && <p className={pageStyles.none}>{siteEntriesText.none[kind]}</p>}
      <ul className={pageStyles.list}>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}

function EntryRow({ entry, onOpen }: { entry: ManagedSiteEntry; onOpen: EntriesProps['onOpen'] }) {
  const { title, detail, url, position } = entry;
  const state = displayStateOf(entry, useWallClock(renewEveryMs));
  return (
    <li className={styles.row} aria-label={title}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{title}</strong>
          <StateTag tone={displayStateTones[state]}>{displayStateWords[state]}</StateTag>
        </div>
        <div className={styles.facts}>
          <span>{displayTimesText(entry)}</span>
          <span>{siteEntriesText.order(position)}</span>
          {url !== '' && <span>{url}</span>}
        </div>
        {detail !== '' && <div className={styles.facts}>{detail}</div>}
      </div>
      <div className={styles.actions}>
        <Button aria-label={siteEntriesText.changeLabel(title)} onClick={() => onOpen(entry)}>
          {siteEntriesText.change}
        </Button>
        <RemoveButton entry={entry} />
      </div>
    </li>
  );
}

function RemoveButton({ entry: { id, title } }: { entry: ManagedSiteEntry }) {
  const remove = useRemoveSiteEntry(id);
  return (
    <ConfirmedButton
      danger
      question={{
        title: siteEntriesText.removeTitle(title),
        text: siteEntriesText.removeHint,
        confirm: siteEntriesText.remove,
      }}
      run={() => remove.mutateAsync()}
      isRunning={remove.isPending}
      done={siteEntriesText.removed(title)}
      aria-label={siteEntriesText.removeLabel(title)}
    />
  );
}
