import type { UseMutationResult } from '@tanstack/react-query';
import { Button, Form, Input } from 'antd';
import { useEffect } from 'react';
import { errorText } from '../../../api/index.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { isCancelled } from '../../confirm/is-cancelled.ts';
import styles from './sharing.module.css';

type Fields = { who: string };

type AddMemberFormProps<Added> = {
  add: UseMutationResult<Added, Error, string>;
  inputId: string;
  maxLength: number;
  text: { label: string; placeholder: string; required: string; add: string; added: (added: Added) => string };
};

/** One field that names another account, and the button that adds it. */
export function AddMemberForm<Added>({ add, inputId, maxLength, text }: AddMemberFormProps<Added>) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const { error } = add;
  const submit = useSubmit({
    send: ({ who }: Fields) => add.mutateAsync(who.normalize('NFKC').trim()),
    onSuccess: (added) => toast.success(text.added(added)),
    onFormDone: () => form.resetFields(),
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  useEffect(() => {
    if (error && !isCancelled(error)) form.setFields([{ name: 'who', errors: [errorText(error)] }]);
  }, [form, error]);

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ who: '' }}
      onFinish={(fields) => void submit(fields)}
    >
      <Form.Item label={text.label} htmlFor={inputId}>
        <div className={styles.addRow}>
          <Form.Item
            name="who"
            noStyle
            validateTrigger={[]}
            rules={[{ required: true, whitespace: true, message: text.required }]}
          >
            <Input
              id={inputId}
              placeholder={text.placeholder}
              maxLength={maxLength}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={add.isPending}>
            {text.add}
          </Button>
        </div>
      </Form.Item>
    </Form>
  );
}
