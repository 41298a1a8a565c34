import { Tag } from 'antd';
import type { ManagedUser, Profile } from '@tongtu/contract';
import { manageText, rolesText } from '../../text/manage.ts';
import { momentText } from '../../text/moment-text.ts';
import { timeTexts } from '../../text/time.ts';
import { Mono } from '../../ui/mono.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import type { ManageDialog } from './manage-dialogs.tsx';
import styles from './manage.module.css';
import { UserMenu } from './user-menu.tsx';
import { userStateOf, userStateTones } from './user-state.ts';

const roles = ['is_superuser', 'is_staff', 'is_promoter'] as const;

type UserRowProps = { user: ManagedUser; profile: Profile; onOpen: (dialog: ManageDialog) => void };

export function UserRow({ user, profile, onOpen }: UserRowProps) {
  const state = userStateOf(user);
  return (
    <li className={styles.user} data-state={state} aria-label={user.username}>
      <div className={styles.userAbout}>
        <div className={styles.userHead}>
          <bdi className={styles.username}>{user.username}</bdi>
          {user.id === profile.id && <Tag>{manageText.self}</Tag>}
          {roles
            .filter((role) => user[role])
            .map((role) => (
              <Tag key={role}>{rolesText.roles[role]}</Tag>
            ))}
          <StateTag tone={userStateTones[state]}>{manageText.states[state]}</StateTag>
        </div>
        <Contacts user={user} />
        <div className={styles.facts}>
          <span>{manageText.devices(user.device_count, user.mapping_count)}</span>
          {user.last_seen_at === null ? (
            <span>{manageText.neverSeen}</span>
          ) : (
            <span>
              {manageText.lastSeen}
              <RelativeTime {...timeTexts(user.last_seen_at)} />
            </span>
          )}
          {user.second_factor && <span>{manageText.secondFactor}</span>}
        </div>
        {state === 'leaving' && user.deletion_at !== null && (
          <div className={styles.leaving}>{manageText.leavingAt(momentText(user.deletion_at))}</div>
        )}
      </div>
      <UserMenu user={user} profile={profile} onOpen={onOpen} />
    </li>
  );
}

function Contacts({ user }: { user: ManagedUser }) {
  const { phone_number: phone, email, has_wechat: hasWechat } = user;
  if (phone === '' && email === '' && !hasWechat) return <div className={styles.facts}>{manageText.noContact}</div>;
  return (
    <div className={styles.facts}>
      {phone !== '' && <Mono>{phone}</Mono>}
      {email !== '' && <Mono>{email}</Mono>}
      {hasWechat && <span>{manageText.wechat}</span>}
    </div>
  );
}
