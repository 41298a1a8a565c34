import { Form, type FormInstance, Radio } from 'antd';
import type { AlertKind } from '@tongtu/contract';
import { useRef } from 'react';
import { alertFormText, alertsText } from '../../../../text/account/alerts.ts';
import styles from '../alerts.module.css';
import { alertKinds, type ChannelFields, freshName } from './channel-fields.ts';

const options = alertKinds.map((value) => ({ value, label: alertsText.kind[value] }));

/** Chooses the kind. A default name follows the kind; a typed one stays. */
export function KindField({ form, taken }: { form: FormInstance<ChannelFields>; taken: readonly string[] }) {
  const offeredName = useRef<string>(form.getFieldValue('name'));

  function onChange(kind: AlertKind) {
    const name = freshName(kind, taken);
    // Values typed for the previous kind do not fit this one.
    form.setFields([
      { name: 'url', value: '', errors: [] },
      { name: 'secret', value: '', errors: [] },
      { name: 'sendKey', value: '', errors: [] },
    ]);
    if (form.getFieldValue('name') === offeredName.current) form.setFieldsValue({ name });
    offeredName.current = name;
  }
  return (
    <Form.Item name="kind" label={alertFormText.kind}>
      <Radio.Group
        options={options}
        onChange={({ target }) => onChange(target.value)}
        className={styles.choices ?? ''}
        aria-label={alertFormText.kind}
      />
    </Form.Item>
  );
}
