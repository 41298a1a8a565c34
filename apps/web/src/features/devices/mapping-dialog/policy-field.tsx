import { Form } from 'antd';
import { mappingText } from '../../../text/mappings.ts';
import { mappingFormText } from '../../../text/mapping-form.ts';
import { ExplainedRadios } from './explained-radios.tsx';

const policies = ['owner', 'public'] as const;

/** `isByAddress`: where no browser logs in, the visitor's address is what may pass. */
export function PolicyField({ isByAddress }: { isByAddress: boolean }) {
  const hints = isByAddress ? mappingFormText.policyByAddressHint : mappingFormText.policyHint;
  const options = policies.map((value) => ({ value, label: mappingText.policy[value], hint: hints[value] }));
  return (
    <Form.Item name="policy" label={mappingFormText.policyLabel}>
      <ExplainedRadios options={options} label={mappingFormText.policyLabel} />
    </Form.Item>
  );
}
