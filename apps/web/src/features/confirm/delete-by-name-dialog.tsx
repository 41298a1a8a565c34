import { Alert, Form, Input } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../api/index.ts';
import { Dialog, nothingToKeep } from '../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import styles from './confirm.module.css';
import { Problem } from './problem.tsx';

type DeleteByNameDialogProps<Output> = {
  /** What the user types to confirm. */
  name: string;
  text: { title: string; warning: string; type: (name: string) => string; mismatch: string; confirm: string };
  /** What is deleted. */
  description: ReactNode;
  remove: {
    mutateAsync: (input: void) => Promise<Output>;
    isPending: boolean;
    error: unknown;
    reset: () => void;
  };
  onSuccess: (output: Output) => void;
  onClose: () => void;
};

/** Says what is deleted. The user types its name to confirm. */
export function DeleteByNameDialog<Output>(props: DeleteByNameDialogProps<Output>) {
  const { name, text, description, remove, onSuccess, onClose } = props;
  const [form] = Form.useForm<{ name: string }>();
  const isConfirmed = Form.useWatch('name', form)?.trim() === name;
  const toast = useToast();
  const submit = useSubmit({
    send: () => remove.mutateAsync(),
    onSuccess,
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  async function checkName(_rule: unknown, typed: string | undefined): Promise<void> {
    if (typed?.trim() !== name) throw new Error(text.mismatch);
  }

  return (
    <Dialog
      title={text.title}
      okText={text.confirm}
      okButtonProps={{ danger: true, disabled: !isConfirmed }}
      confirmLoading={remove.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <Alert type="warning" showIcon title={text.warning} description={description} />
      <Form
        form={form}
        name="delete"
        layout="vertical"
        requiredMark={false}
        onFinish={() => void submit(undefined)}
        onValuesChange={() => {
          forgetFailure(remove);
          form.setFields([{ name: 'name', errors: [] }]);
        }}
        className={styles.typedName ?? ''}
      >
        <Form.Item name="name" label={text.type(name)} validateTrigger={[]} rules={[{ validator: checkName }]}>
          <Input autoFocus autoComplete="off" />
        </Form.Item>
      </Form>
      <Problem error={remove.error} />
    </Dialog>
  );
}

/** The description: a list, and a sentence after it. */
export function DeletedItems({ items, note }: { items: readonly string[]; note: string }) {
  return (
    <>
      <ul className={styles.deletedItems}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      {note}
    </>
  );
}
