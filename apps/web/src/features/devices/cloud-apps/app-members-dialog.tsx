import { Button } from 'antd';
import type { CloudApp, CloudAppMember } from '@tongtu/contract';
import { MAX_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { appMembersText } from '../../../text/cloud-apps/cloud-apps.ts';
import { sharedText } from '../../../text/shared.ts';
import { timeTexts } from '../../../text/time.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { AddMemberForm } from '../sharing/add-member-form.tsx';
import { Listed } from '../sharing/listed.tsx';
import styles from '../sharing/sharing.module.css';
import { useAddAppMember, useAppMembers, useRemoveAppMember } from './use-cloud-apps.ts';

const dialogWidthPx = 520;

/** The other accounts that may open an app, or to which it is offered. */
export function AppMembersDialog({ app, onClose }: { app: CloudApp; onClose: () => void }) {
  return (
    <Dialog
      title={appMembersText.title(app.name)}
      width={dialogWidthPx}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      <p className={styles.hint}>{appMembersText.hint}</p>
      <AddMemberForm
        add={useAddAppMember(app.id)}
        inputId="app-member"
        maxLength={MAX_USERNAME_LENGTH}
        text={{
          label: appMembersText.account,
          placeholder: appMembersText.accountPlaceholder,
          required: appMembersText.accountRequired,
          add: appMembersText.add,
          added: ({ account, accepted_at: acceptedAt }) =>
            (acceptedAt === null ? appMembersText.added : appMembersText.alreadyMember)(account),
        }}
      />
      <Listed
        query={useAppMembers(app.id)}
        failed={appMembersText.failed}
        empty={appMembersText.empty}
        renderItem={(member) => <MemberRow key={member.id} member={member} appId={app.id} />}
      />
    </Dialog>
  );
}

function MemberRow({ member, appId }: { member: CloudAppMember; appId: number }) {
  const remove = useRemoveAppMember(appId);
  const { id, account } = member;
  const isOffer = member.accepted_at === null;
  return (
    <li className={styles.item} aria-label={account}>
      <div className={styles.itemHead}>
        <bdi className={styles.itemTitle}>{account}</bdi>
        <ConfirmedButton
          size="small"
          danger
          question={isOffer ? takeBackQuestion(account) : removeQuestion(account)}
          run={() => remove.mutateAsync(id)}
          isRunning={remove.isPending}
          done={(isOffer ? appMembersText.takenBack : appMembersText.removed)(account)}
          aria-label={(isOffer ? appMembersText.takeBackLabel : appMembersText.removeLabel)(account)}
        />
      </div>
      <div className={styles.facts}>
        <StateTag tone={isOffer ? 'caution' : 'good'}>
          {isOffer ? appMembersText.state.offered : appMembersText.state.accepted}
        </StateTag>
        <span>
          <RelativeTime {...timeTexts(member.created_at)} />
          {appMembersText.since}
        </span>
      </div>
    </li>
  );
}

function removeQuestion(account: string) {
  const { removeTitle, removeText: text, remove: confirm } = appMembersText;
  return { title: removeTitle(account), text, confirm };
}

function takeBackQuestion(account: string) {
  const { takeBackTitle, takeBackText: text, takeBack: confirm } = appMembersText;
  return { title: takeBackTitle(account), text, confirm };
}
