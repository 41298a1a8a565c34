import { Form } from 'antd';
import { useSiteConfig } from '../../../../api/index.ts';
import { portHost } from '../../mapping-address.ts';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { Mono } from '../../../../ui/mono.tsx';
import { DescribedInput } from './described-input.tsx';
import { isPort } from '../lan-target.ts';
import styles from '../mapping-dialog.module.css';
import type { MappingFields } from '../mapping-fields.ts';

type PublicPortFieldProps = { fields: MappingFields; suffix: string; isNew: boolean };

/** The public port. It can be changed, but not removed. */
export function PublicPortField({ fields, suffix, isNew }: PublicPortFieldProps) {
  const range = useSiteConfig()?.mapping_ports;
  const { kind, publicPort } = fields;

  function isInRange(text: string): boolean {
    return isPort(text) && (!range || (Number(text) >= range.from && Number(text) <= range.to));
  }

  async function checkPort(_rule: unknown, text: string): Promise<void> {
    if (text === '' && !isNew) throw new Error(mappingFormText.publicPortRequired);
    if (text === '' || isInRange(text)) return;
    throw new Error(range ? mappingFormText.publicPortRange(range.from, range.to) : mappingFormText.portFormat);
  }

  return (
    <Form.Item
      label={mappingFormText.publicPort}
      htmlFor="publicPort"
      extra={
        <span id="publicPort-hint" aria-live="polite" className={styles.fieldHint}>
          {isNew && range && mappingFormText.publicPortHint(range.from, range.to)}
          {mappingFormText.finalAddress}
          <Mono>
            {kind}://{portHost(suffix)}:{isInRange(publicPort) ? publicPort : '…'}
          </Mono>
          {isNew && kind === 'tcp' && window.location.protocol === 'http:' && (
            <span className={styles.portCookies}>{mappingFormText.publicPortCookies}</span>
          )}
        </span>
      }
    >
      <Form.Item
        name="publicPort"
        noStyle
        validateTrigger={['onBlur']}
        normalize={(port: string) => port.normalize('NFKC').trim()}
        rules={[{ validator: checkPort }]}
      >
        <DescribedInput
          hintId="publicPort-hint"
          id="publicPort"
          inputMode="numeric"
          placeholder={isNew ? mappingFormText.publicPortPlaceholder : ''}
          autoComplete="off"
          className={styles.publicPort ?? ''}
        />
      </Form.Item>
    </Form.Item>
  );
}
