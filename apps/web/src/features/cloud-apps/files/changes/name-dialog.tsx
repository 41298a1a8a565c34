import { useMutation } from '@tanstack/react-query';
import { Alert, Form, Input } from 'antd';
import { isPossibleName } from '@tongtu/contract/file-names';
import { type FocusEvent, useRef } from 'react';
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

  // The field appears after the effects of this component.
  const isSelected = useRef(false);
  /** What one changes is mostly the part before the ending. */
  function selectStem(event: FocusEvent<HTMLInputElement>) {
    if (isSelected.current) return;
    isSelected.current = true;
    const dot = name.lastIndexOf('.');
    event.target.setSelectionRange(0, dot > 0 ? dot : name.length);
  }

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
          <Input onFocus={selectStem} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
        {error && <Alert type="error" showIcon title={errorText(error)} />}
      </Form>
    </Dialog>
  );
}
