import { Alert, Button, Flex } from 'antd';
import type { ManagedAnnouncement } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { announcementPageText } from '../../text/announcement-page.ts';
import { useFindAnnouncement } from './use-managed-announcements.ts';

type EditConflictProps = {
  id: number;
  error: unknown;
  /** Both receive the current announcement. */
  onLoad: (latest: ManagedAnnouncement) => void;
  onKeep: (latest: ManagedAnnouncement) => void;
};

/** Asks which text to keep when somebody else has saved the same announcement. */
export function EditConflict({ id, error, onLoad, onKeep }: EditConflictProps) {
  const find = useFindAnnouncement();

  function decide(settle: (latest: ManagedAnnouncement) => void) {
    find.mutate(id, { onSuccess: (latest) => latest && settle(latest) });
  }

  function hint(): string {
    if (find.isError) return errorText(find.error);
    return find.data === null ? announcementPageText.deleted : announcementPageText.changedHint;
  }

  return (
    <Alert
      type="warning"
      showIcon
      title={errorText(error)}
      description={
        <Flex vertical gap="small" align="flex-start">
          {hint()}
          <Flex wrap gap="small">
            <Button loading={find.isPending} onClick={() => decide(onLoad)}>
              {announcementPageText.loadLatest}
            </Button>
            <Button loading={find.isPending} onClick={() => decide(onKeep)}>
              {announcementPageText.saveMine}
            </Button>
          </Flex>
        </Flex>
      }
    />
  );
}
