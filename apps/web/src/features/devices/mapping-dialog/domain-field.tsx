import { Form, type FormInstance, Input } from 'antd';
import { mappingFormText } from '../../../text/mapping-form.ts';
import { DnsRecord } from './dns-record.tsx';
import type { MappingFields } from './mapping-fields.ts';
import { customDomainPattern, readTypedDomain } from './public-name.ts';

async function checkDomain(_rule: unknown, text: string): Promise<void> {
  const isSound = text === '' || customDomainPattern.test(readTypedDomain(text));
  if (!isSound) throw new Error(mappingFormText.domainFormat);
}

type DomainFieldProps = { form: FormInstance<MappingFields>; customDomain: string; suffix: string };

/** A whole name of the user's own, with the record that makes it lead here. */
export function DomainField({ form, customDomain, suffix }: DomainFieldProps) {
  const domain = readTypedDomain(customDomain);
  return (
    <Form.Item extra={<DnsRecord domain={customDomainPattern.test(domain) ? domain : undefined} suffix={suffix} />}>
      <Form.Item
        name="customDomain"
        noStyle
        validateTrigger={['onBlur']}
        rules={[{ required: true, message: mappingFormText.domainRequired }, { validator: checkDomain }]}
      >
        <Input
          id="customDomain"
          aria-label={mappingFormText.domain}
          placeholder={mappingFormText.domainPlaceholder}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          // Not while it is typed: an input method composes Chinese names in this very field.
          onBlur={(event) => form.setFieldsValue({ customDomain: readTypedDomain(event.target.value) })}
        />
      </Form.Item>
    </Form.Item>
  );
}
