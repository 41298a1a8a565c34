import { Alert, Form, Input, Radio } from 'antd';
import type { Device } from '@tongtu/contract';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { groupsText, manyDevicesText } from '../../../text/devices/many-devices.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { groupNames } from '../groups/group-rows.ts';
import styles from './many.module.css';
import { useUpdateDevices } from './use-many-devices.ts';

type MoveDevicesDialogProps = {
  /** Those that are moved, and all. */
  devices: readonly Device[];
  all: readonly Device[];
  onOpen: (dialog: DeviceDialog) => void;
  onClose: () => void;
};

type Fields = { chosen: string; name: string };

/** No group has this name, because names have no spaces around them. */
const newGroup = ' ';

/** Chooses a group, none or a new one, for one device or several. */
export function MoveDevicesDialog({ devices, all, onOpen, onClose }: MoveDevicesDialogProps) {
  const [form] = Form.useForm<Fields>();
  const groups = groupNames(all);
  const [first] = devices;
  const present = new Set(devices.map(({ group }) => group));
  const chosen = Form.useWatch('chosen', form);
  const toast = useToast();
  const update = useUpdateDevices();
  const submit = useSubmit({
    send: (group: string) => update.mutateAsync({ devices, patch: { group } }),
    onSuccess: (outcome) => {
      onClose();
      if (outcome.refused.length > 0) onOpen({ type: 'many-refused', outcome });
      else toast.success(manyDevicesText.moved(outcome.done));
    },
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  const initial: Fields = {
    chosen: groups.length === 0 ? newGroup : (present.size === 1 && first?.group) || '',
    name: '',
  };

  return (
    <Dialog
      title={groupsText.moveTitle(devices.length, first?.name ?? '')}
      okText={groupsText.confirmMove}
      confirmLoading={update.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(fields) => void submit(fields.chosen === newGroup ? fields.name.trim() : fields.chosen)}
      >
        <Form.Item name="chosen">
          <Radio.Group aria-label={groupsText.group} className={styles.groupChoices ?? ''}>
            <Radio value="">{groupsText.none}</Radio>
            {groups.map((name) => (
              <Radio key={name} value={name}>
                <bdi>{name}</bdi>
              </Radio>
            ))}
            <Radio value={newGroup}>{groupsText.newGroup}</Radio>
          </Radio.Group>
        </Form.Item>
        {chosen === newGroup && (
          <Form.Item name="name" label={groupsText.name} rules={[{ required: true, whitespace: true }]}>
            <Input autoFocus autoComplete="off" maxLength={MAX_NAME_LENGTH} />
          </Form.Item>
        )}
      </Form>
      {update.isError && (
        <Alert type="error" showIcon title={fieldErrors(update.error).group?.[0] ?? errorText(update.error)} />
      )}
    </Dialog>
  );
}
