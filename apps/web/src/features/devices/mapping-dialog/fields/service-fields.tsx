import { Form, Input, Segmented } from 'antd';
import type { OptionName } from '@tongtu/contract/mapping-options';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import styles from '../mapping-dialog.module.css';
import { ExplainedRadios } from './explained-radios.tsx';

const hostHeaderOptions = (['keep', 'rewrite', 'custom'] as const).map((value) => ({
  value,
  label: mappingFormText.hostHeaders[value],
  hint: mappingFormText.hostHeaderHint[value],
}));

const visitorFieldsOptions = (['send', 'omit_address', 'omit'] as const).map((value) => ({
  value,
  label: mappingFormText.visitorFieldsOptions[value],
  hint: mappingFormText.visitorFieldsHint[value],
}));

const forwardedProtoOptions = (['follow_host', 'http', 'https'] as const).map((value) => ({
  value,
  label: mappingFormText.forwardedProtos[value],
}));

const originFieldsOptions = (['follow_host', 'keep', 'rewrite'] as const).map((value) => ({
  value,
  label: mappingFormText.originFieldsOptions[value],
}));

function HostName() {
  return (
    <Form.Item
      name="hostName"
      rules={[{ required: true, message: mappingFormText.hostNameRequired, validateTrigger: 'onSubmit' }]}
    >
      <Input
        aria-label={mappingFormText.hostName}
        placeholder={mappingFormText.hostNamePlaceholder}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form.Item>
  );
}

/** What the service gets besides the request itself. */
export function ServiceFields({ hasOption }: { hasOption: (name: OptionName) => boolean }) {
  if (!hasOption('visitorFields')) return null;
  return (
    <>
      <h3 className={styles.section}>{mappingFormText.sentToService}</h3>
      {hasOption('hostHeader') && (
        <Form.Item
          name="hostHeader"
          label={mappingFormText.hostHeader}
          className={hasOption('hostName') ? (styles.above ?? '') : ''}
        >
          <ExplainedRadios options={hostHeaderOptions} label={mappingFormText.hostHeader} />
        </Form.Item>
      )}
      {hasOption('hostName') && <HostName />}
      <Form.Item name="visitorFields" label={mappingFormText.visitorFields}>
        <ExplainedRadios options={visitorFieldsOptions} label={mappingFormText.visitorFields} />
      </Form.Item>
      <Form.Item
        name="forwardedProto"
        label={mappingFormText.forwardedProto}
        extra={mappingFormText.forwardedProtoHint}
      >
        <Segmented options={forwardedProtoOptions} aria-label={mappingFormText.forwardedProto} />
      </Form.Item>
      <Form.Item name="originFields" label={mappingFormText.originFields} extra={mappingFormText.originFieldsHint}>
        <Segmented options={originFieldsOptions} aria-label={mappingFormText.originFields} />
      </Form.Item>
    </>
  );
}
