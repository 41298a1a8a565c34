import { errorCatalogue } from '@tongtu/contract/errors';
import { Form, type FormInstance, Select, Space } from 'antd';
import { type ChangeEvent, useState } from 'react';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { DescribedInput } from './described-input.tsx';
import { isPasted } from './is-pasted.ts';
import { TargetPortField } from './target-port-field.tsx';
import { defaultPorts, hostProblem, readTypedTarget } from '../lan-target.ts';
import styles from '../mapping-dialog.module.css';
import { groupOf, type MappingFields, type MappingGroup } from '../mapping-fields.ts';

const kindStyle = { flex: 'none', width: 100 };

const kindOptions = {
  web: [
    { value: 'http', label: 'http://' },
    { value: 'https', label: 'https://' },
  ],
  port: [
    { value: 'tcp', label: 'tcp://' },
    { value: 'udp', label: 'udp://' },
  ],
};

/** Whether the text is an address of the other group (web or port). The field does not take it over. */
function isOfOtherGroup(text: string, group: MappingGroup): boolean {
  const kind = readTypedTarget(text)?.kind;
  return kind !== undefined && groupOf(kind) !== group;
}

type TargetFieldProps = { form: FormInstance<MappingFields>; fields: MappingFields; isNew: boolean };

/** Scheme, host and port. An address that is pasted into the host field is split into these. */
export function TargetField({ form, fields, isNew }: TargetFieldProps) {
  const [isPathDropped, setIsPathDropped] = useState(false);
  const { kind, group } = fields;
  const errors = [...form.getFieldError('host'), ...form.getFieldError('port')];
  const defaultPort = defaultPorts[kind];

  async function checkHost(_rule: unknown, host: string): Promise<void> {
    if (!host) return;
    if (isOfOtherGroup(host, group)) throw new Error(errorCatalogue['mapping.kind-fixed'].zh);
    const problem = hostProblem(host);
    if (problem !== undefined) throw new Error(mappingFormText.targetProblem[problem]);
  }

  async function checkPortPresence(_rule: unknown, port: string): Promise<void> {
    if (port === '' && defaultPort === undefined) throw new Error(mappingFormText.targetPortRequired);
  }

  function showProblems() {
    const typed = form.getFieldValue('port') === '' ? ['host'] : ['host', 'port'];
    void form.validateFields(typed).catch(() => undefined); // the fields show the messages
  }

  function takeApart(text: string) {
    const typed = readTypedTarget(text);
    if (!typed || typed.host === text || (!isNew && isOfOtherGroup(text, group))) return;
    setIsPathDropped(typed.hasPath);
    form.setFieldsValue({
      host: typed.host,
      ...(typed.kind ? { kind: typed.kind, group: groupOf(typed.kind) } : {}),
      ...(typed.port === undefined ? {} : { port: String(typed.port) }),
    });
    showProblems();
  }

  function onChange(event: ChangeEvent<HTMLInputElement>) {
    setIsPathDropped(false);
    if (!isPasted(event)) return;
    takeApart(event.target.value);
    if (hostProblem(event.target.value) === 'scheme') showProblems();
  }

  return (
    <Form.Item
      label={mappingFormText.target}
      htmlFor="host"
      extra={
        <span id="host-hint" className={styles.fieldHint}>
          {isPathDropped ? mappingFormText.pathDropped : mappingFormText.targetHint[group]}
        </span>
      }
      {...(errors.length > 0 ? { validateStatus: 'error' } : {})}
    >
      <Space.Compact block>
        <Form.Item name="kind" noStyle>
          <Select options={kindOptions[group]} style={kindStyle} aria-label={mappingFormText.kindLabel} />
        </Form.Item>
        <Form.Item
          name="host"
          noStyle
          validateTrigger={['onBlur']}
          rules={[
            { required: true, message: mappingFormText.targetRequired, validateTrigger: 'onSubmit' },
            { validator: checkHost },
          ]}
        >
          <DescribedInput
            hintId="host-hint"
            id="host"
            autoFocus
            placeholder={mappingFormText.targetHostPlaceholder}
            aria-label={mappingFormText.targetHostLabel}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={onChange}
            onBlur={(event) => takeApart(event.target.value)}
          />
        </Form.Item>
        <TargetPortField
          placeholder={defaultPort === undefined ? mappingFormText.targetPortLabel : String(defaultPort)}
          rule={{ validator: checkPortPresence, validateTrigger: 'onSubmit' }}
        />
      </Space.Compact>
    </Form.Item>
  );
}
