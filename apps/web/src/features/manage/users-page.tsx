import { PlusOutlined, UserAddOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Profile } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { useProfile } from '../../api/index.ts';
import { paths } from '../../routing/paths.ts';
import { manageText } from '../../text/manage.ts';
import { ManageNav } from './frame/manage-nav.tsx';
import { ManagedList } from './frame/managed-list.tsx';
import { useListState } from './frame/use-list-state.ts';
import { type ManageDialog, ManageDialogs } from './manage-dialogs.tsx';
import styles from './manage.module.css';
import { PendingInvitations } from './links/pending-invitations.tsx';
import { RegistrationSetting } from './registration-setting.tsx';
import { useManagedUsers, useRegistration } from './use-managed-users.ts';
import { UserRow } from './user-row.tsx';

/** For staff: everybody who has an account here. */
export function UsersPage() {
  const profile = useProfile();
  if (!profile) return null;
  return hasRole(profile, 'staff') ? <Users profile={profile} /> : <Navigate to={paths.home} replace />;
}

function Users({ profile }: { profile: Profile }) {
  const [dialog, setDialog] = useState<ManageDialog>();
  const hasMail = useRegistration().data?.mail === true;
  return (
    <div className={styles.page}>
      <ManageNav />
      <div className={styles.pageHead}>
        <h1>{manageText.title}</h1>
        <div className={styles.headActions}>
          <Button icon={<PlusOutlined aria-hidden />} onClick={() => setDialog({ type: 'create' })}>
            {manageText.create}
          </Button>
          <Button type="primary" icon={<UserAddOutlined aria-hidden />} onClick={() => setDialog({ type: 'invite' })}>
            {manageText.invite}
          </Button>
        </div>
      </div>
      <RegistrationSetting />
      <PendingInvitations />
      <UserList profile={profile} onOpen={setDialog} />
      <ManageDialogs dialog={dialog} hasMail={hasMail} onClose={() => setDialog(undefined)} />
    </div>
  );
}

function UserList({ profile, onOpen }: { profile: Profile; onOpen: (dialog: ManageDialog) => void }) {
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
      {(user) => <UserRow key={user.id} user={user} profile={profile} onOpen={onOpen} />}
    </ManagedList>
  );
}
