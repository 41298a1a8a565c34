import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons';
import { App, Button, Card, Skeleton } from 'antd';
import type { ManagedAnnouncement } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../api/index.ts';
import { announcementsText } from '../../text/announcements.ts';
import { momentText } from '../../text/time.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StateTag, type StateTone } from '../../ui/state-tag.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useToast } from '../../ui/use-toast.ts';
import { AnnouncementEditor } from './announcement-editor.tsx';
import { stateOf, type AnnouncementState } from './announcement-form.ts';
import styles from './announcements-page.module.css';
import { LoadFailure } from './load-failure.tsx';
import { useManagedAnnouncements, useRemoveAnnouncement } from './use-managed-announcements.ts';

const tones: Record<AnnouncementState, StateTone> = {
  shown: 'good',
  waiting: 'caution',
  over: 'muted',
  hidden: 'muted',
};
const renewEveryMs = 20_000;

function spanText({ starts_at, ends_at }: ManagedAnnouncement): string {
  if (starts_at !== null && ends_at !== null) return announcementsText.span(momentText(starts_at), momentText(ends_at));
  if (starts_at !== null) return announcementsText.from(momentText(starts_at));
  return ends_at === null ? announcementsText.always : announcementsText.until(momentText(ends_at));
}

function useConfirmedRemoval() {
  const { modal } = App.useApp();
  const toast = useToast();
  const remove = useRemoveAnnouncement();
  return ({ id, title }: ManagedAnnouncement) =>
    void modal.confirm({
      title: announcementsText.removeTitle(title),
      content: announcementsText.removeHint,
      okText: announcementsText.remove,
      okButtonProps: { danger: true },
      cancelText: announcementsText.cancel,
      onOk: async () => {
        try {
          await remove.mutateAsync(id);
          toast.success(announcementsText.removed);
        } catch (error) {
          toast.error(errorText(error));
        }
      },
    });
}

type ItemProps = { announcement: ManagedAnnouncement; nowMs: number; onEdit: () => void; onRemove: () => void };

function Item({ announcement, nowMs, onEdit, onRemove }: ItemProps) {
  const state = stateOf(announcement, nowMs);
  return (
    <li>
      <Card size="small">
        <div className={styles.head}>
          <h2 className={styles.title}>{announcement.title}</h2>
          <StateTag tone={tones[state]}>{announcementsText.states[state]}</StateTag>
        </div>
        <p className={styles.detail}>{announcement.detail}</p>
        <div className={styles.foot}>
          <span className={styles.time}>{spanText(announcement)}</span>
          <span>
            <Button type="text" icon={<EditOutlined />} onClick={onEdit}>
              {announcementsText.edit}
            </Button>
            <Button type="text" danger icon={<DeleteOutlined />} onClick={onRemove}>
              {announcementsText.remove}
            </Button>
          </span>
        </div>
      </Card>
    </li>
  );
}

/** All announcements, for those who write them. */
export function AnnouncementManager() {
  const managed = useManagedAnnouncements();
  const remove = useConfirmedRemoval();
  const nowMs = useNow(renewEveryMs);
  const [edited, setEdited] = useState<ManagedAnnouncement | 'new'>();

  return (
    <>
      <div>
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
          {announcementsText.add}
        </Button>
      </div>
      {managed.isPending && <Skeleton active />}
      {managed.isError && <LoadFailure error={managed.error} onRetry={() => void managed.refetch()} />}
      {managed.data?.length === 0 && (
        <EmptyState title={announcementsText.noneManaged} text={announcementsText.noneManagedHint} />
      )}
      <ul className={styles.list}>
        {managed.data?.map((announcement) => (
          <Item
            key={announcement.id}
            announcement={announcement}
            nowMs={nowMs}
            onEdit={() => setEdited(announcement)}
            onRemove={() => remove(announcement)}
          />
        ))}
      </ul>
      {edited !== undefined && (
        <AnnouncementEditor announcement={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}
