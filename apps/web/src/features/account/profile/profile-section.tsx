import type { Profile } from '@tongtu/contract';
import { MAX_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { usersText } from '../../../text/account/users.ts';
import { InlineEdit } from '../../../ui/fields/inline-edit.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { SectionCard } from '../section-card.tsx';
import { SettingRow } from '../setting-row.tsx';
import { useRenameUser } from '../use-user-info.ts';

function roleOf(profile: Profile): string {
  if (profile.is_superuser) return usersText.roles.superuser;
  if (profile.is_staff) return usersText.roles.staff;
  return profile.is_promoter ? usersText.roles.promoter : usersText.roles.user;
}

export function ProfileSection({ profile }: { profile: Profile }) {
  return (
    <SectionCard name="profile" title={usersText.account}>
      <SettingRow title={usersText.username} text={<Username profile={profile} />} />
      <SettingRow title={usersText.role} text={roleOf(profile)} />
    </SectionCard>
  );
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

  return (
    <InlineEdit value={profile.username} label={usersText.username} maxLength={MAX_USERNAME_LENGTH} onSave={save} />
  );
}
