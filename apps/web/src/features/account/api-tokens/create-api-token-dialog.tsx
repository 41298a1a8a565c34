import { Checkbox, Form, Input, Select } from 'antd';
import type { ApiScope, Reply } from '@tongtu/contract';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { apiTokensText } from '../../../text/account/account.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../account.module.css';
import { useCreateApiToken } from './use-api-tokens.ts';

const offeredDays = [30, 90, 365];
const defaultDays = 90;
/** Stands for `null`, which a select cannot have as value. */
const forever = 0;

type Fields = { name: string; scopes: ApiScope[]; days: number };

const scopeOptions = Object.entries(apiTokensText.scopes).map(([value, label]) => ({ value, label }));
const daysOptions = [
  ...offeredDays.map((days) => ({ value: days, label: apiTokensText.days(days) })),
  { value: forever, label: apiTokensText.forever },
];

type CreateApiTokenDialogProps = {
  onClose: () => void;
  onCreated: (created: Reply<'POST /api/user/api_tokens/'>) => void;
};

export function CreateApiTokenDialog({ onClose, onCreated }: CreateApiTokenDialogProps) {
  const [form] = Form.useForm<Fields>();
  const days = Form.useWatch('days', form);
  const toast = useToast();
  const create = useCreateApiToken();
  const nameErrors = fieldErrors(create.error).name;
  useEffect(() => {
    if (nameErrors) form.setFields([{ name: 'name', errors: nameErrors }]);
  }, [form, nameErrors]);
  const submit = useSubmit({
    send: (fields: Fields) =>
      create.mutateAsync({
        name: fields.name.trim(),
        scopes: fields.scopes,
        valid_days: fields.days === forever ? null : fields.days,
      }),
    onSuccess: onCreated,
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={apiTokensText.createTitle}
      okText={apiTokensText.create}
      confirmLoading={create.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="api-token"
        layout="vertical"
        requiredMark={false}
        initialValues={{ scopes: [], days: defaultDays }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(create)}
        className={styles.form ?? ''}
      >
        <Form.Item
          name="name"
          label={apiTokensText.name}
          extra={apiTokensText.nameHint}
          rules={[
            { required: true, whitespace: true, message: apiTokensText.nameRequired },
            { max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) },
          ]}
        >
          <Input autoFocus autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="scopes"
          label={apiTokensText.scopesLabel}
          extra={apiTokensText.scopesHint}
          // Not `required`: antd would add an attribute to the group that only fields may have.
          rules={[{ type: 'array', min: 1, message: apiTokensText.scopesRequired }]}
        >
          <Checkbox.Group options={scopeOptions} className={styles.scopes ?? ''} />
        </Form.Item>
        <Form.Item
          name="days"
          label={apiTokensText.validFor}
          {...(days === forever ? { extra: apiTokensText.foreverHint } : {})}
        >
          <Select options={daysOptions} />
        </Form.Item>
        <SubmitOnEnter />
      </Form>
      {!nameErrors && <Problem error={create.error} />}
    </Dialog>
  );
}
