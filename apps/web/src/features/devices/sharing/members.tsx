import { LinkOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Member } from '@tongtu/contract';
import { MAX_EMAIL_LENGTH } from '@tongtu/contract/limits';
import { linkForOthers } from '../../../address/public-address.ts';
import { useSiteConfig } from '../../../api/index.ts';
import { sharingText } from '../../../text/devices/sharing.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { OneTimeLink } from '../../../ui/copy/one-time-link.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { AccessRequests } from '../access-requests/access-requests.tsx';
import { AddMemberForm } from './add-member-form.tsx';
import { Listed } from './listed.tsx';
import styles from './sharing.module.css';
import { useAddMember, useInviteMember, useMembers, useRemoveMember } from './use-sharing.ts';

function MemberRow({ member, mappingId }: { member: Member; mappingId: number }) {
  const remove = useRemoveMember(mappingId);
  const isPending = member.joined_at === null;
  return (
    <li className={styles.item} aria-label={member.contact}>
      <div className={styles.itemHead}>
        <Mono>{member.contact}</Mono>
        <ConfirmedButton
          size="small"
          danger
          question={{
            title: sharingText.removeTitle(member.contact),
            text: sharingText.removeText,
            confirm: sharingText.remove,
          }}
          run={() => remove.mutateAsync(member.id)}
          isRunning={remove.isPending}
          done={sharingText.removed(member.contact)}
          aria-label={sharingText.removeLabel(member.contact)}
        />
      </div>
      <div className={styles.facts}>
        <StateTag tone={isPending ? 'caution' : 'good'}>
          {isPending ? sharingText.memberState.pending : sharingText.memberState.joined}
        </StateTag>
        {member.account !== '' && <span>{sharingText.joinedAs(member.account)}</span>}
        <span>
          <RelativeTime {...timeTexts(member.created_at)} />
          {sharingText.since}
        </span>
        {member.expires_at !== null && <span>{sharingText.memberUntil(momentText(member.expires_at))}</span>}
      </div>
      {isPending && <InviteMember member={member} />}
    </li>
  );
}

/** For a member who has not joined: a link to send. Somebody without an account can create one with it. */
function InviteMember({ member }: { member: Member }) {
  const toastFailure = useFailureToast();
  const isClosed = useSiteConfig()?.registration === 'closed';
  const invite = useInviteMember();
  if (isClosed) return <p className={styles.quiet}>{sharingText.registrationClosed}</p>;
  return (
    <>
      <div className={styles.actions}>
        <Button
          size="small"
          icon={<LinkOutlined aria-hidden />}
          loading={invite.isPending}
          aria-label={sharingText.inviteLabel(member.contact)}
          onClick={() => invite.mutate(member.id, { onError: toastFailure })}
        >
          {invite.data ? sharingText.inviteAgain : sharingText.invite}
        </Button>
      </div>
      {invite.data && (
        <OneTimeLink
          {...linkForOthers(invite.data.url, window.location.href)}
          label={sharingText.invitationLink}
          note={sharingText.inviteNote(momentText(invite.data.expires_at))}
        />
      )}
    </>
  );
}

/** The other accounts that may open a mapping. */
export function Members({ mappingId }: { mappingId: number }) {
  return (
    <>
      <AccessRequests mappingId={mappingId} />
      <p className={styles.hint}>{sharingText.membersHint}</p>
      <AddMemberForm
        add={useAddMember(mappingId)}
        inputId="contact"
        maxLength={MAX_EMAIL_LENGTH}
        text={{
          label: sharingText.contact,
          placeholder: sharingText.contactPlaceholder,
          required: sharingText.contactRequired,
          add: sharingText.add,
          added: ({ contact }) => sharingText.added(contact),
        }}
      />
      <Listed
        query={useMembers(mappingId)}
        failed={sharingText.membersFailed}
        empty={sharingText.noMembers}
        renderItem={(member) => <MemberRow key={member.id} member={member} mappingId={mappingId} />}
      />
    </>
  );
}
