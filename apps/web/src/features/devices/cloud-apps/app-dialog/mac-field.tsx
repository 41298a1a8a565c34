import { Form, Input } from 'antd';
import type { CloudAppKind } from '@tongtu/contract/app-kinds';
import { readMacAddress } from '@tongtu/contract/mac-address';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';

const MAX_TYPED_LENGTH = 40;

async function checkMac(_rule: unknown, mac: string): Promise<void> {
  if (mac.trim() !== '' && readMacAddress(mac) === undefined) throw new Error(appFormText.macFormat);
}

/** With it the host can be woken. The server stores it in one spelling, whatever the user has typed. */
export function MacField({ kind }: { kind: CloudAppKind }) {
  const isNeeded = kind === 'wol';
  return (
    <Form.Item
      name="mac"
      label={appFormText.mac}
      extra={isNeeded ? appFormText.macHintWol : appFormText.macHint}
      validateTrigger={['onBlur']}
      rules={[
        ...(isNeeded
          ? [{ required: true, whitespace: true, message: appFormText.macRequired, validateTrigger: 'onSubmit' }]
          : []),
        { validator: checkMac },
      ]}
    >
      <Input
        maxLength={MAX_TYPED_LENGTH}
        placeholder={appFormText.macPlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form.Item>
  );
}
