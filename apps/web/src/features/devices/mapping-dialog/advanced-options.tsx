import { Collapse, Form, Input, Segmented } from 'antd';
import type { OptionName } from '@tongtu/contract/mapping-options';
import { mappingFormText } from '../../../text/devices/mapping-form.ts';
import { ExplainedCheckbox } from './fields/explained-checkbox.tsx';
import styles from './mapping-dialog.module.css';
import { choicesOf, type MappingFields } from './mapping-fields.ts';
import { OpeningFields } from './fields/opening-fields.tsx';
import { ServiceFields } from './fields/service-fields.tsx';
import { TimeoutFields } from './fields/timeout-fields.tsx';

const visitLogOptions = [0, 1, 7, 30].map((value) => ({ value, label: mappingFormText.visitLogDays(value) }));

type ChoicesProps = {
  fields: MappingFields;
  /** The frpc.toml of the device decides some of them. */
  isManagedByFrpc: boolean;
};

const decidedByFrpc: readonly OptionName[] = ['tlsPassthrough', 'hostHeader', 'hostName'];

function Choices({ fields, isManagedByFrpc }: ChoicesProps) {
  const choices = choicesOf(fields);
  const hasOption = (name: OptionName) => choices.hasOption(name) && !(isManagedByFrpc && decidedByFrpc.includes(name));
  return (
    <>
      {(hasOption('tlsPassthrough') || hasOption('verifyTls')) && (
        <Form.Item label={mappingFormText.security} className={styles.above ?? ''}>
          {hasOption('tlsPassthrough') && (
            <ExplainedCheckbox
              name="tlsPassthrough"
              label={mappingFormText.tlsPassthrough}
              hint={mappingFormText.tlsPassthroughHint}
            />
          )}
          {hasOption('verifyTls') && (
            <ExplainedCheckbox
              name="verifyTls"
              label={mappingFormText.verifyTls}
              hint={mappingFormText.verifyTlsHint}
            />
          )}
        </Form.Item>
      )}
      {hasOption('tlsName') && (
        <Form.Item name="tlsName" label={mappingFormText.tlsName} extra={mappingFormText.tlsNameHint}>
          <Input
            placeholder={mappingFormText.tlsNamePlaceholder}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form.Item>
      )}
      {hasOption('proxyProtocol') && (
        <Form.Item label={mappingFormText.visitor} className={styles.above ?? ''}>
          <ExplainedCheckbox
            name="proxyProtocol"
            label={mappingFormText.proxyProtocol}
            hint={mappingFormText.proxyProtocolHint}
          />
        </Form.Item>
      )}
      <ServiceFields hasOption={hasOption} />
      {hasOption('answerTimeoutS') && <TimeoutFields />}
      <h3 className={styles.section}>{mappingFormText.visits}</h3>
      <OpeningFields fields={fields} />
      <Form.Item name="visitLogDays" label={mappingFormText.visitLog} extra={mappingFormText.visitLogHint}>
        <Segmented options={visitLogOptions} aria-label={mappingFormText.visitLog} />
      </Form.Item>
    </>
  );
}

type AdvancedOptionsProps = ChoicesProps & { isOpen: boolean; onToggle: (isOpen: boolean) => void };

/** The options that most mappings do not need. */
export function AdvancedOptions({ fields, isManagedByFrpc, isOpen, onToggle }: AdvancedOptionsProps) {
  return (
    <Collapse
      ghost
      size="small"
      activeKey={isOpen ? ['advanced'] : []}
      onChange={(keys) => onToggle(keys.length > 0)}
      className={styles.advanced ?? ''}
      items={[
        {
          key: 'advanced',
          label: mappingFormText.advanced,
          forceRender: true,
          children: <Choices fields={fields} isManagedByFrpc={isManagedByFrpc} />,
        },
      ]}
    />
  );
}
