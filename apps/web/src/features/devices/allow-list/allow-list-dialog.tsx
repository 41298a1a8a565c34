import { PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import type { Device } from '@tongtu/contract';
import { MAX_ALLOW_LIST_ENTRIES } from '@tongtu/contract/limits';
import { useEffect, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { allowListText } from '../../../text/devices/mappings.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { allowListMessages } from './allow-list-messages.ts';
import styles from './allow-list-dialog.module.css';
import { allowListProblem, readAllowListText } from './read-allow-list.ts';
import { useCurrentIp } from './use-current-ip.ts';
import { useSaveAllowList } from './use-save-allow-list.ts';

const rows = { minRows: 4, maxRows: MAX_ALLOW_LIST_ENTRIES };

type Fields = { text: string };

async function checkList(_rule: unknown, text: string): Promise<void> {
  const lines = readAllowListText(text);
  if (lines.length > MAX_ALLOW_LIST_ENTRIES) throw new Error(allowListText.tooMany(MAX_ALLOW_LIST_ENTRIES));
  const problems = lines.flatMap(({ line, entry }) => {
    const problem = allowListProblem(entry);
    return problem === undefined ? [] : [allowListText.line(line, entry, problem)];
  });
  // One line of the message for each invalid entry.
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** The addresses whose visitors pass on all mappings of a device without verification. */
export function AllowListDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const [opened] = useState(device.allow_list);
  const update = useSaveAllowList(device.id);
  const { error, isPending } = update;
  const currentIp = useCurrentIp();
  const save = useSubmit({
    send: ({ text }: Fields) =>
      update.mutateAsync({ opened, wanted: readAllowListText(text).map(({ entry }) => entry) }),
    onSuccess: () => toast.success(allowListText.saved),
    onFormDone: onClose,
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  const messages = allowListMessages(error, readAllowListText(form.getFieldValue('text') ?? ''));

  useEffect(() => {
    if (!error) return;
    const errors = allowListMessages(error, readAllowListText(form.getFieldValue('text')));
    form.setFields([{ name: 'text', errors }]);
  }, [form, error]);

  function addCurrent() {
    if (currentIp.data === undefined) return toast.warning(allowListText.currentFailed);
    const text = form.getFieldValue('text').trimEnd();
    const isListed = readAllowListText(text).some(({ entry }) => entry === currentIp.data.ip);
    if (isListed) return toast.warning(allowListText.alreadyListed(currentIp.data.ip));
    form.setFieldsValue({ text: text === '' ? currentIp.data.ip : `${text}\n${currentIp.data.ip}` });
    form.focusField('text');
  }

  return (
    <Dialog
      title={allowListText.title(device.name)}
      okText={sharedText.save}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      isMaskInert
    >
      <p className={styles.hint}>{allowListText.hint}</p>
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ text: opened.join('\n') }}
        onFinish={(fields) => void save(fields)}
      >
        <Form.Item
          name="text"
          label={allowListText.label}
          extra={allowListText.rule(MAX_ALLOW_LIST_ENTRIES)}
          validateTrigger={['onBlur']}
          rules={[{ validator: checkList }]}
          className={styles.list ?? ''}
        >
          <Input.TextArea
            className={styles.entries ?? ''}
            autoFocus
            autoSize={rows}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form.Item>
        <Button icon={<PlusOutlined aria-hidden />} loading={currentIp.isLoading} onClick={addCurrent}>
          {allowListText.addCurrent}
          {currentIp.data && ` ${currentIp.data.ip}`}
        </Button>
        {messages.length === 0 && <Problem error={error} className={styles.failure} />}
      </Form>
    </Dialog>
  );
}
