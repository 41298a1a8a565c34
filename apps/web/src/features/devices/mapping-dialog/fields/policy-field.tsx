import { Form, type FormInstance } from 'antd';
import { mappingText } from '../../../../text/devices/mappings.ts';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { ExplainedRadios } from './explained-radios.tsx';
import styles from '../mapping-dialog.module.css';
import { choicesOf, type MappingFields, policyOf } from '../mapping-fields.ts';
import { PasswordField } from './password-field.tsx';

const pageOptions = (['owner', 'password', 'public', 'closed'] as const).map((value) => ({
  value,
  label: mappingText.policy[value],
  hint: mappingFormText.policyHint[value],
}));
/** For mappings whose visitors cannot send a cookie: the hints explain that their address is verified. */
const addressOptions = (['owner', 'public', 'closed'] as const).map((value) => ({
  value,
  label: mappingText.policy[value],
  hint: mappingFormText.policyByAddressHint[value],
}));

type PolicyFieldProps = { form: FormInstance<MappingFields>; fields: MappingFields; hasPassword: boolean };

/** The policy, and the access password if the policy needs one. */
export function PolicyField({ form, fields, hasPassword }: PolicyFieldProps) {
  const policy = policyOf(fields);
  const canBeForged = fields.kind === 'udp' && policy === 'owner';
  return (
    <>
      <Form.Item
        name="policy"
        label={mappingFormText.policyLabel}
        getValueProps={(chosen: MappingFields['policy']) => ({ value: policyOf({ ...fields, policy: chosen }) })}
        {...(canBeForged && { extra: <span className={styles.forgery}>{mappingFormText.udpForgery}</span> })}
      >
        <ExplainedRadios
          options={choicesOf(fields).isVerifiedByAddress ? addressOptions : pageOptions}
          label={mappingFormText.policyLabel}
        />
      </Form.Item>
      {policy === 'password' && <PasswordField form={form} password={fields.password} hasPassword={hasPassword} />}
    </>
  );
}
