import { Card, Descriptions } from 'antd';
import type { Profile } from '@tongtu/contract';
import { errorText, fieldErrors, useProfile } from '../../api/index.ts';
import { usersText } from '../../text/users.ts';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { Secret } from '../../ui/secret.tsx';
import { useToast } from '../../ui/use-toast.ts';
import { PasswordForm } from './password-form.tsx';
import { useRenameUser } from './use-user-info.ts';
import styles from './users.module.css';

const maxUsernameLength = 32;

function roleOf(profile: Profile): string {
  if (profile.is_superuser) return usersText.roles.superuser;
  if (profile.is_staff) return usersText.roles.staff;
  return profile.is_promoter ? usersText.roles.promoter : usersText.roles.user;
}

function Username({ profile }: { profile: Profile }) {
  const toast = useToast();
  const rename = useRenameUser(profile.id);

  async function save(username: string): Promise<string | undefined> {
    try {
      await rename.mutateAsync(username);
      toast.success(usersText.renamed);
      return undefined;
    } catch (error) {
      return fieldErrors(error).username?.[0] ?? errorText(error);
    }
  }

  return <InlineEdit value={profile.username} label={usersText.username} maxLength={maxUsernameLength} onSave={save} />;
}

export function UserInfoPage() {
  const profile = useProfile();
  if (!profile) return null;
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>{usersText.title}</h1>
      <Card title={usersText.account}>
        <Descriptions
          column={1}
          colon={false}
          styles={{ label: { width: 72 } }}
          items={[
            { key: 'username', label: usersText.username, children: <Username profile={profile} /> },
            { key: 'role', label: usersText.role, children: roleOf(profile) },
            {
              key: 'token',
              label: usersText.token,
              children: (
                <div>
                  <Secret secret={profile.token} label={usersText.token} />
                  <p className={styles.hint}>{usersText.tokenHint}</p>
                </div>
              ),
            },
          ]}
        />
      </Card>
      <Card title={usersText.password}>
        <PasswordForm username={profile.username} />
      </Card>
    </div>
  );
}
