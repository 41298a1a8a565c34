import { Button, Form, Input } from 'antd';
import type { CloudApp, CloudAppMember } from '@tongtu/contract';
import { MAX_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { errorText } from '../../../api/index.ts';
import { appMembersText } from '../../../text/cloud-apps/cloud-apps.ts';
import { sharedText } from '../../../text/shared.ts';
import { timeTexts } from '../../../text/time.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { Listed } from '../sharing/listed.tsx';
import styles from '../sharing/sharing.module.css';
import { useAddAppMember, useAppMembers, useRemoveAppMember } from './use-cloud-apps.ts';

const dialogWidthPx = 520;

type Fields = { account: string };

/** The other accounts that may open an app. */
export function AppMembersDialog({ app, onClose }: { app: CloudApp; onClose: () => void }) {
  return (
    <Dialog
      title={appMembersText.title(app.name)}
      width={dialogWidthPx}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      <p className={styles.hint}>{appMembersText.hint}</p>
      <AddForm appId={app.id} />
      <Listed
        query={useAppMembers(app.id)}
        failed={appMembersText.failed}
        empty={appMembersText.empty}
        renderItem={(member) => <MemberRow key={member.id} member={member} appId={app.id} />}
      />
    </Dialog>
  );
}

function AddForm({ appId }: { appId: number }) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const add = useAddAppMember(appId);
  const { error } = add;
  const submit = useSubmit({
    send: ({ account }: Fields) => add.mutateAsync(account.trim()),
    onSuccess: ({ account }) => toast.success(appMembersText.added(account)),
    onFormDone: () => form.resetFields(),
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  useEffect(() => {
    if (error) form.setFields([{ name: 'account', errors: [errorText(error)] }]);
  }, [form, error]);

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ account: '' }}
      onFinish={(fields) => void submit(fields)}
    >
      <Form.Item label={appMembersText.account} htmlFor="app-member">
        <div className={styles.addRow}>
          <Form.Item
            name="account"
            noStyle
            validateTrigger={[]}
            rules={[{ required: true, whitespace: true, message: appMembersText.accountRequired }]}
          >
            <Input
              id="app-member"
              placeholder={appMembersText.accountPlaceholder}
              maxLength={MAX_USERNAME_LENGTH}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={add.isPending}>
            {appMembersText.add}
          </Button>
        </div>
      </Form.Item>
    </Form>
  );
}

function MemberRow({ member, appId }: { member: CloudAppMember; appId: number }) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const remove = useRemoveAppMember(appId);
  const { id, account } = member;
  const confirmRemove = () =>
    confirm({
      title: appMembersText.removeTitle(account),
      text: appMembersText.removeText,
      confirm: appMembersText.remove,
      onConfirm: () => toastOutcome(remove.mutateAsync(id), appMembersText.removed(account)),
    });
  return (
    <li className={styles.item} aria-label={account}>
      <div className={styles.itemHead}>
        <bdi className={styles.itemTitle}>{account}</bdi>
        <Button
          size="small"
          danger
          loading={remove.isPending}
          onClick={confirmRemove}
          aria-label={appMembersText.removeLabel(account)}
        >
          {appMembersText.remove}
        </Button>
      </div>
      <div className={styles.facts}>
        <span>
          <RelativeTime {...timeTexts(member.created_at)} />
          {appMembersText.since}
        </span>
      </div>
    </li>
  );
}
