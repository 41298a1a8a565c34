import { Button, Form, Input, Select } from 'antd';
import { MAX_NAME_LENGTH, MAX_SHARE_USES } from '@tongtu/contract/limits';
import { useEffect, useState } from 'react';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { sharedText } from '../../../text/shared.ts';
import { sharingText } from '../../../text/devices/sharing.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { Listed } from './listed.tsx';
import { ShareLinkRow } from './share-link-row.tsx';
import styles from './sharing.module.css';
import { useCreateShareLink, useShareLinks } from './use-sharing.ts';

type Fields = { label: string; validHours: number; maxUses: string };
const initial: Fields = { label: '', validHours: 24, maxUses: '' };
const validityOptions = sharingText.validities.map(({ hours, word }) => ({ value: hours, label: word }));

async function checkUses(_rule: unknown, uses: string): Promise<void> {
  const isSound = uses === '' || (/^[1-9]\d{0,4}$/.test(uses) && Number(uses) <= MAX_SHARE_USES);
  if (!isSound) throw new Error(sharingText.maxUsesRange(MAX_SHARE_USES));
}

type CreateFormProps = { mappingId: number; onCreated: (id: number) => void };

function CreateForm({ mappingId, onCreated }: CreateFormProps) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const create = useCreateShareLink(mappingId);
  const { error } = create;
  const labelErrors = fieldErrors(error)['label'];
  const submit = useSubmit({
    send: ({ label, validHours, maxUses }: Fields) =>
      create.mutateAsync({ label, valid_hours: validHours, max_uses: maxUses === '' ? null : Number(maxUses) }),
    onSuccess: ({ id }) => {
      toast.success(sharingText.created);
      onCreated(id);
    },
    onFormDone: () => form.resetFields(),
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  useEffect(() => {
    if (labelErrors) form.setFields([{ name: 'label', errors: labelErrors }]);
  }, [form, labelErrors]);

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={initial}
      onFinish={(fields) => void submit(fields)}
      className={styles.create ?? ''}
    >
      <Form.Item
        name="label"
        label={sharingText.label}
        rules={[{ max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) }]}
        className={styles.wide ?? ''}
      >
        <Input placeholder={sharingText.labelPlaceholder} autoComplete="off" />
      </Form.Item>
      <Form.Item name="validHours" label={sharingText.validity}>
        <Select options={validityOptions} />
      </Form.Item>
      <Form.Item
        name="maxUses"
        label={sharingText.maxUses}
        normalize={(uses: string) => uses.normalize('NFKC').trim()}
        validateTrigger={['onBlur']}
        rules={[{ validator: checkUses }]}
        tooltip={sharingText.maxUsesHint}
      >
        <Input inputMode="numeric" placeholder={sharingText.maxUsesPlaceholder} autoComplete="off" />
      </Form.Item>
      {!labelErrors && <Problem error={error} className={styles.wide} />}
      <Button type="primary" htmlType="submit" loading={create.isPending} className={styles.submit ?? ''}>
        {sharingText.create}
      </Button>
    </Form>
  );
}

/** The share links of a mapping, and a button that creates one. */
export function ShareLinks({ mappingId }: { mappingId: number }) {
  const links = useShareLinks(mappingId);
  const [createdId, setCreatedId] = useState<number>();
  return (
    <>
      <p className={styles.hint}>{sharingText.linksHint}</p>
      <CreateForm mappingId={mappingId} onCreated={setCreatedId} />
      <Listed
        query={links}
        failed={sharingText.linksFailed}
        empty={sharingText.noLinks}
        renderItem={(link) => (
          <ShareLinkRow key={link.id} link={link} mappingId={mappingId} isFresh={link.id === createdId} />
        )}
      />
    </>
  );
}
