import { Form, type FormRule, Input } from 'antd';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { isPort } from '../lan-target.ts';

const portStyle = { flex: 'none', width: 92 };

async function checkPort(_rule: unknown, port: string): Promise<void> {
  if (port !== '' && !isPort(port)) throw new Error(mappingFormText.portFormat);
}

/** The port of a service in the LAN, behind the field for its host. It may be empty unless `rule` says otherwise. */
export function TargetPortField({ placeholder, rule }: { placeholder: string; rule?: FormRule }) {
  return (
    <Form.Item
      name="port"
      noStyle
      normalize={(port: string) => port.normalize('NFKC').trim()}
      rules={[...(rule ? [rule] : []), { validator: checkPort }]}
    >
      <Input
        prefix=":"
        inputMode="numeric"
        placeholder={placeholder}
        aria-label={mappingFormText.targetPortLabel}
        autoComplete="off"
        style={portStyle}
      />
    </Form.Item>
  );
}
