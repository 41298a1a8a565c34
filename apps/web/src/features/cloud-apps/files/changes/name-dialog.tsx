import { useMutation } from '@tanstack/react-query';
import { Alert, Form, Input, type InputRef } from 'antd';
import { isPossibleName } from '@tongtu/contract/file-names';
import { useCallback } from 'react';
import { errorText } from '../../../../api/index.ts';
import { changesText } from '../../../../text/cloud-apps/file-changes.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';

type NameDialogProps = {
  title: string;
  okText: string;
  name: string;
  /** Saves the new name. */
  save: (name: string) => Promise<void>;
  onClose: () => void;
};

/** Asks for the name of a file or folder. */
export function NameDialog({ title, okText, name, save, onClose }: NameDialogProps) {
  const [form] = Form.useForm<{ name: string }>();
  const { mutateAsync, error, isPending } = useMutation({ mutationFn: save });
  const submit = useSubmit({ send: async (given: string) => await mutateAsync(given), onFormDone: onClose });

  /** What one changes is mostly the part before the ending. The field appears after the effects of this component. */
  const selectStem = useCallback(
    (input: InputRef | null) => {
      const dot = name.lastIndexOf('.');
      input?.setSelectionRange(0, dot > 0 ? dot : name.length);
    },
    [name],
  );

  return (
    <Dialog title={title} okText={okText} confirmLoading={isPending} onOk={() => form.submit()} onClose={onClose}>
      <Form<{ name: string }>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name }}
        onFinish={(values) => (values.name === name ? onClose() : void submit(values.name))}
      >
        <Form.Item
          name="name"
          label={changesText.name}
          validateTrigger={['onBlur']}
          rules={[
            {
              validateTrigger: 'onSubmit',
              validator: async (_rule, value: string) => {
                if (!isPossibleName(value)) throw new Error(changesText.nameFormat);
                await Promise.resolve();
              },
            },
          ]}
        >
          <Input ref={selectStem} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
        {error && <Alert type="error" showIcon title={errorText(error)} />}
      </Form>
    </Dialog>
  );
}
