import { PlusOutlined, UserAddOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useProfile } from '../../api/index.ts';
import { manageText } from '../../text/manage.ts';
import { ManageFrame } from './frame/manage-frame.tsx';
import { ManagedList } from './frame/managed-list.tsx';
import { useListState } from './frame/use-list-state.ts';
import { type ManageDialog, ManageDialogs } from './manage-dialogs.tsx';
import { PendingInvitations } from './links/pending-invitations.tsx';
import { RegistrationSetting } from './registration-setting.tsx';
import { useManagedUsers } from './use-managed-users.ts';
import { UserRow } from './user-row.tsx';

/** For staff: everybody who has an account here. */
export function UsersPage() {
  const [dialog, setDialog] = useState<ManageDialog>();
  return (
    <ManageFrame
      title={manageText.title}
      actions={
        <>
          <Button icon={<PlusOutlined aria-hidden />} onClick={() => setDialog({ type: 'create' })}>
            {manageText.create}
          </Button>
          <Button type="primary" icon={<UserAddOutlined aria-hidden />} onClick={() => setDialog({ type: 'invite' })}>
            {manageText.invite}
          </Button>
        </>
      }
    >
      <RegistrationSetting />
      <PendingInvitations />
      <UserList onOpen={setDialog} />
      <ManageDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </ManageFrame>
  );
}

function UserList({ onOpen }: { onOpen: (dialog: ManageDialog) => void }) {
  const profile = useProfile();
  const { filters, page, range, setFilters, setPage } = useListState({ search: '' });
  const users = useManagedUsers({ search: filters.search.trim(), ...range });
  return (
    <ManagedList
      title={manageText.title}
      failed={manageText.failed}
      none={manageText.none}
      count={manageText.count}
      query={users}
      page={page}
      onPage={setPage}
      search={{ label: manageText.search, value: filters.search, onChange: (search) => setFilters({ search }) }}
    >
      {(user) => profile && <UserRow key={user.id} user={user} profile={profile} onOpen={onOpen} />}
    </ManagedList>
  );
}
