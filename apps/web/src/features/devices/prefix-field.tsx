import { Form, Input, Space } from 'antd';
import { useSiteConfig } from '../../api/index.ts';
import { mappingText } from '../../text/devices.ts';
import { Mono } from '../../ui/mono.tsx';
import { prefixPattern } from './lan-target.ts';
import styles from './mapping-dialog.module.css';
import { publicAddress } from './public-address.ts';

/** The name in front of the region's suffix, with the address it makes. */
export function PrefixField({ suffix }: { suffix: string }) {
  const consoleUrl = useSiteConfig()?.console_url;
  const prefix: unknown = Form.useWatch('prefix');
  const isValid = typeof prefix === 'string' && prefixPattern.test(prefix);
  return (
    <Form.Item
      label={mappingText.prefix}
      htmlFor="prefix"
      extra={
        <span aria-live="polite" className={styles.fieldHint}>
          {mappingText.finalAddress}
          <Mono>{publicAddress(consoleUrl, isValid ? prefix : '…', suffix)}</Mono>
        </span>
      }
    >
      <Space.Compact block>
        <Form.Item
          name="prefix"
          noStyle
          normalize={(value: string) => value.trim().toLowerCase()}
          rules={[
            { required: true, message: mappingText.prefixRequired },
            { pattern: prefixPattern, message: mappingText.prefixFormat },
          ]}
        >
          <Input
            id="prefix"
            placeholder={mappingText.prefixPlaceholder}
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
