import { Form, type FormInstance, Space } from 'antd';
import type { ChangeEvent } from 'react';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';
import { DescribedInput } from '../../mapping-dialog/fields/described-input.tsx';
import { isPasted } from '../../mapping-dialog/fields/is-pasted.ts';
import { TargetPortField } from '../../mapping-dialog/fields/target-port-field.tsx';
import { hostProblem, readTypedTarget } from '../../mapping-dialog/lan-target.ts';
import { type AppFields, usualPort } from './app-fields.ts';
import styles from './app-dialog.module.css';

async function checkHost(_rule: unknown, host: string): Promise<void> {
  if (host && hostProblem(host) !== undefined) throw new Error(appFormText.hostFormat);
}

/** Host and port. An address that is pasted into the host field is split into these. */
export function AddressField({ form, fields }: { form: FormInstance<AppFields>; fields: AppFields }) {
  const errors = [...form.getFieldError('host'), ...form.getFieldError('port')];

  function takeApart(text: string) {
    const typed = readTypedTarget(text);
    if (!typed || typed.host === text) return;
    form.setFieldsValue({ host: typed.host, ...(typed.port === undefined ? {} : { port: String(typed.port) }) });
    void form.validateFields(['host', 'port']).catch(() => undefined); // the fields show the messages
  }

  function onChange(event: ChangeEvent<HTMLInputElement>) {
    if (isPasted(event)) takeApart(event.target.value);
  }

  return (
    <Form.Item
      label={appFormText.address}
      htmlFor="app-host"
      extra={
        <span id="app-host-hint" className={styles.hint}>
          {appFormText.addressHint}
        </span>
      }
      {...(errors.length > 0 ? { validateStatus: 'error' } : {})}
    >
      <Space.Compact block>
        <Form.Item
          name="host"
          noStyle
          validateTrigger={['onBlur']}
          rules={[
            { required: true, message: appFormText.hostRequired, validateTrigger: 'onSubmit' },
            { validator: checkHost },
          ]}
        >
          <DescribedInput
            hintId="app-host-hint"
            id="app-host"
            placeholder={appFormText.hostPlaceholder}
            aria-label={appFormText.host}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={onChange}
            onBlur={(event) => takeApart(event.target.value)}
          />
        </Form.Item>
        <TargetPortField placeholder={String(usualPort(fields))} />
      </Space.Compact>
    </Form.Item>
  );
}
