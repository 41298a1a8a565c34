import { Form, Space } from 'antd';
import { useSiteConfig } from '../../../../api/index.ts';
import { publicAddress } from '../../../../address/public-address.ts';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { Mono } from '../../../../ui/mono.tsx';
import { DescribedInput } from './described-input.tsx';
import styles from '../mapping-dialog.module.css';
import { prefixPattern } from '../public-name.ts';

/** The prefix, and the address that results from it. */
export function PrefixField({ prefix, suffix }: { prefix: string; suffix: string }) {
  const consoleUrl = useSiteConfig()?.console_url;
  const shown = prefixPattern.test(prefix) ? prefix : '…';
  return (
    <Form.Item
      extra={
        <span id="prefix-hint" aria-live="polite" className={styles.fieldHint}>
          {mappingFormText.finalAddress}
          <Mono>{publicAddress(consoleUrl, `${shown}.${suffix}`)}</Mono>
        </span>
      }
    >
      <Space.Compact block>
        <Form.Item
          name="prefix"
          noStyle
          normalize={(value: string) => value.trim().toLowerCase()}
          rules={[
            { required: true, message: mappingFormText.prefixRequired, validateTrigger: 'onSubmit' },
            { pattern: prefixPattern, message: mappingFormText.prefixFormat },
          ]}
        >
          <DescribedInput
            hintId="prefix-hint"
            id="prefix"
            aria-label={mappingFormText.prefix}
            placeholder={mappingFormText.prefixPlaceholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form.Item>
        <Space.Addon className={styles.suffix ?? ''}>.{suffix}</Space.Addon>
      </Space.Compact>
    </Form.Item>
  );
}
