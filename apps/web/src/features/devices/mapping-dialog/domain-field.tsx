import { Form, type FormInstance, Input } from 'antd';
import { useSiteConfig } from '../../../api/index.ts';
import { isLoopbackHost } from '../../../public-address.ts';
import { mappingFormText } from '../../../text/mapping-form.ts';
import { DnsRecord } from './dns-record.tsx';
import type { DomainProof } from './domain-proof.ts';
import styles from './mapping-dialog.module.css';
import type { MappingFields } from './mapping-fields.ts';
import { isCustomDomain, readTypedDomain } from './public-name.ts';

async function checkDomain(_rule: unknown, text: string): Promise<void> {
  if (text !== '' && !isCustomDomain(text)) throw new Error(mappingFormText.domainFormat);
}

type DomainFieldProps = {
  form: FormInstance<MappingFields>;
  customDomain: string;
  suffix: string;
  proof: DomainProof | undefined;
};

/** The records that make a domain lead here; one more where somebody else has it already. */
function Records({ customDomain, suffix, proof }: Omit<DomainFieldProps, 'form'>) {
  const isHttps = useSiteConfig()?.console_url.startsWith('https:') ?? false;
  const domain = isCustomDomain(customDomain) ? readTypedDomain(customDomain) : '…';
  const { dnsTitle, dnsAfter, dnsHttps, dnsNoSuffix, proofTitle, proofAfter } = mappingFormText;
  return (
    <>
      {proof && <DnsRecord {...proof} type="TXT" title={proofTitle} after={proofAfter} />}
      {isLoopbackHost(suffix) ? (
        <p className={styles.dnsNote}>{dnsNoSuffix}</p>
      ) : (
        <DnsRecord
          type="CNAME"
          name={domain}
          value={suffix}
          title={dnsTitle}
          after={isHttps ? dnsAfter + dnsHttps : dnsAfter}
        />
      )}
    </>
  );
}

/** A whole name of the user's own. */
export function DomainField({ form, ...records }: DomainFieldProps) {
  return (
    <Form.Item extra={<Records {...records} />}>
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
