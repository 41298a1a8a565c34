import { PlusOutlined, SearchOutlined, UserAddOutlined } from '@ant-design/icons';
import { Button, Input, Pagination, Skeleton } from 'antd';
import type { Profile } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { hasRole } from '@tongtu/contract/roles';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { errorText, useProfile } from '../../api/index.ts';
import { paths } from '../../routing/paths.ts';
import { manageText } from '../../text/manage.ts';
import { useSearchDraft } from '../../ui/fields/use-search-draft.ts';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { ManageNav } from './frame/manage-nav.tsx';
import { type ManageDialog, ManageDialogs } from './manage-dialogs.tsx';
import styles from './manage.module.css';
import { PendingInvitations } from './links/pending-invitations.tsx';
import { RegistrationSetting } from './registration-setting.tsx';
import { pageSize, useManagedUsers, useRegistration } from './use-managed-users.ts';
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
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const { typed, setTyped, composition } = useSearchDraft(search, (text) => {
    setSearch(text);
    setPage(1);
  });
  const users = useManagedUsers({ search: search.trim(), page });
  const { data, isPlaceholderData } = users;
  // The last account of the last page was deleted.
  const lastPage = Math.max(1, Math.ceil((data?.count ?? 0) / pageSize));
  if (data && !isPlaceholderData && page > lastPage) setPage(lastPage);
  return (
    <section className={styles.panel} aria-label={manageText.title}>
      <div className={styles.toolbar} role="search">
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          placeholder={manageText.search}
          aria-label={manageText.search}
          value={typed}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={(event) => setTyped(event.target.value)}
          {...composition}
          className={styles.search ?? ''}
        />
        {data && <span className={styles.count}>{manageText.count(data.count)}</span>}
      </div>
      {users.isPending && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {users.isError && data === undefined && (
        <LoadFailure title={manageText.failed} text={errorText(users.error)} query={users} />
      )}
      {data?.count === 0 && <p className={styles.none}>{manageText.none}</p>}
      <ul className={styles.list}>
        {data?.results.map((user) => (
          <UserRow key={user.id} user={user} profile={profile} onOpen={onOpen} />
        ))}
      </ul>
      {data && data.count > pageSize && (
        <Pagination
          current={page}
          pageSize={pageSize}
          total={data.count}
          showSizeChanger={false}
          onChange={setPage}
          className={styles.pages ?? ''}
        />
      )}
    </section>
  );
}
