import { Form, type FormInstance, Segmented } from 'antd';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { DomainField } from './domain-field.tsx';
import type { DomainProof } from '../../own-domain/domain-proof.ts';
import styles from '../mapping-dialog.module.css';
import type { MappingFields } from '../mapping-fields.ts';
import { PrefixField } from './prefix-field.tsx';
import { PublicPortField } from './public-port-field.tsx';

const options = (['prefix', 'domain'] as const).map((value) => ({ value, label: mappingFormText.addressBy[value] }));

type PublicAddressFieldProps = {
  form: FormInstance<MappingFields>;
  fields: MappingFields;
  suffix: string;
  isNew: boolean;
  /** The server's addresses, if they are known. */
  addresses: readonly string[];
  proof: DomainProof | undefined;
};

/** The public address: a prefix, a custom domain, or a port. */
export function PublicAddressField(props: PublicAddressFieldProps) {
  const { form, fields, suffix, addresses, proof } = props;
  if (fields.group === 'port') return <PublicPortField {...props} />;
  return (
    <>
      <Form.Item name="addressBy" label={mappingFormText.publicAddress} className={styles.above ?? ''}>
        <Segmented options={options} aria-label={mappingFormText.publicAddress} />
      </Form.Item>
      {fields.addressBy === 'prefix' ? (
        <PrefixField prefix={fields.prefix} suffix={suffix} />
      ) : (
        <DomainField
          form={form}
          customDomain={fields.customDomain}
          suffix={suffix}
          addresses={addresses}
          proof={proof}
        />
      )}
    </>
  );
}
