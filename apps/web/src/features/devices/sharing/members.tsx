import { Button, Form, Input } from 'antd';
import type { Member } from '@tongtu/contract';
import { MAX_EMAIL_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { errorText } from '../../../api/index.ts';
import { sharingText } from '../../../text/sharing.ts';
import { momentText, timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { AccessRequests } from '../access-requests/access-requests.tsx';
import { Listed } from './listed.tsx';
import styles from './sharing.module.css';
import { useAddMember, useMembers, useRemoveMember } from './use-sharing.ts';

type Fields = { contact: string };

function AddForm({ mappingId }: { mappingId: number }) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const add = useAddMember(mappingId);
  const { error } = add;
  const submit = useSubmit({
    send: ({ contact }: Fields) => add.mutateAsync(contact.normalize('NFKC').trim()),
    onSuccess: ({ contact }) => toast.success(sharingText.added(contact)),
    onFormDone: () => form.resetFields(),
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  useEffect(() => {
    if (error) form.setFields([{ name: 'contact', errors: [errorText(error)] }]);
  }, [form, error]);

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ contact: '' }}
      onFinish={(fields) => void submit(fields)}
    >
      <Form.Item label={sharingText.contact} htmlFor="contact">
        <div className={styles.addRow}>
          <Form.Item
            name="contact"
            noStyle
            validateTrigger={[]}
            rules={[{ required: true, whitespace: true, message: sharingText.contactRequired }]}
          >
            <Input
              id="contact"
              placeholder={sharingText.contactPlaceholder}
              maxLength={MAX_EMAIL_LENGTH}
              autoComplete="off"
            />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={add.isPending}>
            {sharingText.add}
          </Button>
        </div>
      </Form.Item>
    </Form>
  );
}

function MemberRow({ member, mappingId }: { member: Member; mappingId: number }) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const remove = useRemoveMember(mappingId);

  function confirmRemove() {
    confirm({
      title: sharingText.removeTitle(member.contact),
      text: sharingText.removeText,
      confirm: sharingText.remove,
      onConfirm: () => toastOutcome(remove.mutateAsync(member.id), sharingText.removed(member.contact)),
    });
  }

  return (
    <li className={styles.item} aria-label={member.contact}>
      <div className={styles.itemHead}>
        <Mono>{member.contact}</Mono>
        <Button
          size="small"
          danger
          loading={remove.isPending}
          onClick={confirmRemove}
          aria-label={sharingText.removeLabel(member.contact)}
        >
          {sharingText.remove}
        </Button>
      </div>
      <div className={styles.facts}>
        <span>
          <RelativeTime {...timeTexts(member.created_at)} />
          {sharingText.since}
        </span>
        {member.expires_at !== null && <span>{sharingText.memberUntil(momentText(member.expires_at))}</span>}
      </div>
    </li>
  );
}

/** The other accounts that may open a mapping. */
export function Members({ mappingId }: { mappingId: number }) {
  return (
    <>
      <AccessRequests mappingId={mappingId} />
      <p className={styles.hint}>{sharingText.membersHint}</p>
      <AddForm mappingId={mappingId} />
      <Listed
        query={useMembers(mappingId)}
        failed={sharingText.membersFailed}
        empty={sharingText.noMembers}
        renderItem={(member) => <MemberRow key={member.id} member={member} mappingId={mappingId} />}
      />
    </>
  );
}
