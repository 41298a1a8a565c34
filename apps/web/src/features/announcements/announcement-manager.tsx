import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Card, Skeleton } from 'antd';
import type { ManagedAnnouncement } from '@tongtu/contract';
import { lazy, Suspense, useState } from 'react';
import { errorText } from '../../api/index.ts';
import { announcementPageText } from '../../text/announcement-page.ts';
import { displayStateOf, displayStateTones, displayStateWords, displayTimesText } from '../../text/display-times.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import { ConfirmedButton } from '../confirm/confirmed-button.tsx';
import styles from './announcements-page.module.css';
import { useManagedAnnouncements, useRemoveAnnouncement } from './use-managed-announcements.ts';
import { useStateTime } from './use-state-time.ts';

/** A chunk of its own, so that the screen does not wait for the calendars. */
const AnnouncementEditor = lazy(async () => ({
  default: (await import('./announcement-editor.tsx')).AnnouncementEditor,
}));

function Remove({ announcement: { id, title } }: Pick<ItemProps, 'announcement'>) {
  const remove = useRemoveAnnouncement();
  return (
    <ConfirmedButton
      type="text"
      danger
      icon={<DeleteOutlined aria-hidden />}
      aria-label={announcementPageText.removeLabel(title)}
      question={{
        title: announcementPageText.removeTitle(title),
        text: announcementPageText.removeHint,
        confirm: announcementPageText.remove,
      }}
      run={() => remove.mutateAsync(id)}
      isRunning={remove.isPending}
      done={announcementPageText.removed}
    />
  );
}

type ItemProps = { announcement: ManagedAnnouncement; wallClockMs: number; onEdit: () => void };

function Item({ announcement, wallClockMs, onEdit }: ItemProps) {
  const state = displayStateOf(announcement, wallClockMs);
  return (
    <li>
      <Card size="small">
        <div className={styles.head}>
          <h2 className={styles.title}>{announcement.title}</h2>
          <StateTag tone={displayStateTones[state]}>{displayStateWords[state]}</StateTag>
        </div>
        <p className={styles.detail}>{announcement.detail}</p>
        <div className={styles.foot}>
          <span className={styles.time}>{displayTimesText(announcement)}</span>
          <span>
            <Button
              type="text"
              icon={<EditOutlined aria-hidden />}
              aria-label={announcementPageText.editLabel(announcement.title)}
              onClick={onEdit}
            >
              {announcementPageText.edit}
            </Button>
            <Remove announcement={announcement} />
          </span>
        </div>
      </Card>
    </li>
  );
}

/** All announcements, for users who may edit them. */
export function AnnouncementManager() {
  const managed = useManagedAnnouncements();
  const wallClockMs = useStateTime(managed.data ?? []);
  const [edited, setEdited] = useState<ManagedAnnouncement | 'new'>();

  return (
    <>
      <div>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setEdited('new')}>
          {announcementPageText.add}
        </Button>
      </div>
      {managed.isPending && <Skeleton active />}
      {managed.isError && (
        <LoadFailure title={announcementPageText.failedToLoad} text={errorText(managed.error)} query={managed} />
      )}
      {managed.data?.length === 0 && (
        <EmptyState title={announcementPageText.noneManaged} text={announcementPageText.noneManagedHint} />
      )}
      <ul className={styles.list}>
        {managed.data?.map((announcement) => (
          <Item
            key={announcement.id}
            announcement={announcement}
            wallClockMs={wallClockMs}
            onEdit={() => setEdited(announcement)}
          />
        ))}
      </ul>
      {edited !== undefined && (
        <Suspense fallback={null}>
          <AnnouncementEditor
            announcement={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
