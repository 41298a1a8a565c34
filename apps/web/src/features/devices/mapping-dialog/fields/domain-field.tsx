import { Form, type FormInstance } from 'antd';
import { shownHost } from '../../../../address/shown-host.ts';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { DnsRecords } from '../../own-domain/dns-records.tsx';
import type { DomainProof } from '../../own-domain/domain-proof.ts';
import { DescribedInput } from './described-input.tsx';
import type { MappingFields } from '../mapping-fields.ts';
import { isCustomDomain, readTypedDomain } from '../public-name.ts';

async function checkDomain(_rule: unknown, text: string): Promise<void> {
  if (text !== '' && !isCustomDomain(text)) throw new Error(mappingFormText.domainFormat);
}

type DomainFieldProps = {
  form: FormInstance<MappingFields>;
  customDomain: string;
  suffix: string;
  /** The server's addresses, if they are known. */
  addresses: readonly string[];
  proof: DomainProof | undefined;
};

/** The field for a custom domain. */
export function DomainField({ form, customDomain, ...records }: DomainFieldProps) {
  const domain = isCustomDomain(customDomain) ? readTypedDomain(customDomain) : '…';
  return (
    <Form.Item
      extra={
        <div id="customDomain-hint">
          <DnsRecords domain={domain} {...records} />
        </div>
      }
    >
      <Form.Item
        name="customDomain"
        noStyle
        validateTrigger={['onBlur']}
        rules={[
          { required: true, message: mappingFormText.domainRequired, validateTrigger: 'onSubmit' },
          { validator: checkDomain },
        ]}
      >
        <DescribedInput
          hintId="customDomain-hint"
          id="customDomain"
          aria-label={mappingFormText.domain}
          placeholder={mappingFormText.domainPlaceholder}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          // On blur, because changing the text while an input method composes a Chinese name would break the
          // composition.
          onBlur={({ target }) => form.setFieldsValue({ customDomain: shownHost(readTypedDomain(target.value)) })}
        />
      </Form.Item>
    </Form.Item>
  );
}
