import { Alert, Button, Form, Input } from 'antd';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { errorText } from '../../../api/index.ts';
import { frpcText } from '../../../text/devices/frpc.ts';
import { sharedText } from '../../../text/shared.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import type { useCreateFrpcDevice } from './use-frpc.ts';

type AddFrpcDeviceProps = { intro: string; create: ReturnType<typeof useCreateFrpcDevice> };

/** The form that adds a device that runs a stock frpc. */
export function AddFrpcDevice({ intro, create }: AddFrpcDeviceProps) {
  const submit = useSubmit({ send: (name: string) => create.mutateAsync(name) });
  return (
    <Form<{ name: string }>
      name="frpc-device"
      layout="vertical"
      requiredMark={false}
      onFinish={({ name }) => void submit(name.trim())}
    >
      <p className={lines.hint}>{intro}</p>
      <p className={lines.hint}>{frpcText.limits}</p>
      <Form.Item
        name="name"
        label={frpcText.name}
        rules={[
          { required: true, whitespace: true, message: frpcText.nameRequired },
          { max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) },
        ]}
      >
        <Input autoFocus autoComplete="off" placeholder={frpcText.namePlaceholder} />
      </Form.Item>
      {create.error && <Alert type="error" showIcon title={errorText(create.error)} className={lines.loopback ?? ''} />}
      <Button type="primary" htmlType="submit" loading={create.isPending}>
        {frpcText.create}
      </Button>
    </Form>
  );
}
