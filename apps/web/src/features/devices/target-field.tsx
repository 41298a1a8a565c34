import { Form, type FormInstance, Input, Select, Space } from 'antd';
import { type ChangeEvent, useState } from 'react';
import { mappingText } from '../../text/devices.ts';
import { defaultPorts, hostProblem, isPort, readTypedTarget } from './lan-target.ts';
import styles from './mapping-dialog.module.css';
import type { MappingFields } from './mapping-fields.ts';

const kindStyle = { flex: 'none', width: 100 };
const portStyle = { flex: 'none', width: 92 };

const kindOptions = [
  { value: 'http', label: 'http://' },
  { value: 'https', label: 'https://' },
];

async function checkHost(_rule: unknown, host: string | undefined): Promise<void> {
  const problem = hostProblem(host ?? '');
  if (host && problem !== undefined) throw new Error(mappingText.targetProblem[problem]);
}

async function checkPort(_rule: unknown, port: string | undefined): Promise<void> {
  if (port && !isPort(port)) throw new Error(mappingText.portFormat);
}

/** Scheme, host and port; a whole address pasted into the host is taken apart. */
export function TargetField({ form }: { form: FormInstance<MappingFields> }) {
  const [isPathDropped, setIsPathDropped] = useState(false);
  const kind = Form.useWatch('kind', form) ?? 'http';
  const errors = [...form.getFieldError('host'), ...form.getFieldError('port')];

  function showProblems() {
    void form.validateFields(['host', 'port']).catch(() => undefined); // the messages show at the field
  }

  function takeApart(text: string) {
    const typed = readTypedTarget(text);
    if (!typed || typed.host === text) return;
    setIsPathDropped(typed.hasPath);
    form.setFieldsValue({
      host: typed.host,
      ...(typed.kind ? { kind: typed.kind } : {}),
      ...(typed.port === undefined ? {} : { port: String(typed.port) }),
    });
    showProblems();
  }

  function onChange(event: ChangeEvent<HTMLInputElement>) {
    // Typing goes letter by letter; only what arrives as a whole is an address to take apart at once.
    const isPasted = 'inputType' in event.nativeEvent && event.nativeEvent.inputType === 'insertFromPaste';
    setIsPathDropped(false);
    if (!isPasted) return;
    takeApart(event.target.value);
    if (hostProblem(event.target.value) === 'scheme') showProblems();
  }

  return (
    <Form.Item
      label={mappingText.target}
      htmlFor="host"
      extra={
        <span className={styles.fieldHint}>{isPathDropped ? mappingText.pathDropped : mappingText.targetHint}</span>
      }
      {...(errors.length > 0 ? { validateStatus: 'error' } : {})}
    >
      <Space.Compact block>
        <Form.Item name="kind" noStyle>
          <Select options={kindOptions} style={kindStyle} aria-label={mappingText.kindLabel} />
        </Form.Item>
        <Form.Item
          name="host"
          noStyle
          validateTrigger={['onBlur']}
          rules={[{ required: true, message: mappingText.targetRequired }, { validator: checkHost }]}
        >
          <Input
            id="host"
            autoFocus
            placeholder={mappingText.targetHostPlaceholder}
            aria-label={mappingText.targetHostLabel}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={onChange}
            onBlur={(event) => takeApart(event.target.value)}
          />
        </Form.Item>
        <Form.Item
          name="port"
          noStyle
          normalize={(port: string) => port.normalize('NFKC').trim()}
          rules={[{ validator: checkPort }]}
        >
          <Input
            prefix=":"
            inputMode="numeric"
            placeholder={String(defaultPorts[kind] ?? '')}
            aria-label={mappingText.targetPortLabel}
            autoComplete="off"
            style={portStyle}
          />
        </Form.Item>
      </Space.Compact>
    </Form.Item>
  );
}
