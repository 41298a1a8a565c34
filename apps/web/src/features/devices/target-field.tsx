import { Form, type FormInstance, Input, InputNumber, Select, Space } from 'antd';
import { type ChangeEvent, useState } from 'react';
import { mappingText } from '../../text/devices.ts';
import { defaultPorts, hostPattern, readTypedTarget } from './lan-target.ts';
import type { MappingFields } from './mapping-fields.ts';

const kindStyle = { flex: 'none', width: 100 };
const portStyle = { flex: 'none', width: 92 };

const kindOptions = [
  { value: 'http', label: 'http://' },
  { value: 'https', label: 'https://' },
];

/** Scheme, host and port; a whole address pasted into the host is taken apart. */
export function TargetField({ form }: { form: FormInstance<MappingFields> }) {
  const [isPathDropped, setIsPathDropped] = useState(false);
  const kind = Form.useWatch('kind', form) ?? 'http';
  const errors = [...form.getFieldError('host'), ...form.getFieldError('port')];

  function takeApart(text: string) {
    const typed = readTypedTarget(text);
    if (!typed || !/[:/：／。]/.test(text)) return;
    setIsPathDropped(typed.hasPath);
    form.setFieldsValue({
      host: typed.host,
      ...(typed.kind ? { kind: typed.kind } : {}),
      ...(typed.port === undefined ? {} : { port: typed.port }),
    });
    void form.validateFields(['host']).catch(() => undefined); // its message shows at the field
  }

  function onChange(event: ChangeEvent<HTMLInputElement>) {
    // Typing goes letter by letter; only what arrives as a whole is an address to take apart at once.
    const isPasted = 'inputType' in event.nativeEvent && event.nativeEvent.inputType === 'insertFromPaste';
    setIsPathDropped(false);
    if (isPasted) takeApart(event.target.value);
  }

  return (
    <Form.Item
      label={mappingText.target}
      htmlFor="host"
      extra={isPathDropped ? mappingText.pathDropped : mappingText.targetHint}
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
          rules={[
            { required: true, message: mappingText.targetRequired },
            { pattern: hostPattern, message: mappingText.targetFormat },
          ]}
        >
          <Input
            id="host"
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
          rules={[{ type: 'integer', min: 1, max: 65_535, message: mappingText.portFormat }]}
        >
          <InputNumber
            controls={false}
            prefix=":"
            placeholder={String(defaultPorts[kind])}
            aria-label={mappingText.targetPortLabel}
            style={portStyle}
          />
        </Form.Item>
      </Space.Compact>
    </Form.Item>
  );
}
