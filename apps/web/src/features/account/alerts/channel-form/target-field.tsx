import { Form, Input } from 'antd';
import type { AlertChannel } from '@tongtu/contract';
import { MAX_ALERT_SECRET_LENGTH, MAX_URL_LENGTH } from '@tongtu/contract/limits';
import { alertFormText } from '../../../../text/account/alerts.ts';
import { Mono } from '../../../../ui/mono.tsx';
import type { ChannelFields } from './channel-fields.ts';

function trimmed(text: string): string {
  return text.trim();
}

type UrlKind = keyof typeof alertFormText.url;
type UrlFieldProps = {
  kind: UrlKind;
  /** The channel has a stored target, which may stay. */
  isSet: boolean;
  /** The address has a secret. */
  hasSecret: boolean;
};

export function UrlField({ kind, isSet, hasSecret }: UrlFieldProps) {
  return (
    <Form.Item
      name="url"
      label={alertFormText.url[kind]}
      extra={alertFormText.urlHint[kind]}
      normalize={trimmed}
      validateTrigger="onSubmit"
      dependencies={hasSecret ? ['secret'] : []}
      rules={[
        { required: !isSet, message: alertFormText.urlRequired },
        ({ getFieldValue }) => ({
          required: isSet && hasSecret && getFieldValue('secret') !== '',
          // The server replaces address and secret only together.
          message: alertFormText.urlWithSecret,
        }),
      ]}
    >
      <Input
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_URL_LENGTH}
        placeholder={isSet ? alertFormText.keep : alertFormText.urlExample[kind]}
      />
    </Form.Item>
  );
}

type SecretFieldProps = { kind: keyof typeof alertFormText.secret; channel: AlertChannel | undefined };

export function SecretField({ kind, channel }: SecretFieldProps) {
  const isAddressKept = Form.useWatch(
    (fields: Partial<ChannelFields>) => fields.url === undefined || fields.url === '',
  );
  const hasSecret = channel?.has_secret ?? false;
  const secretPlaceholder = isAddressKept ? alertFormText.keep : alertFormText.withoutSecret;
  return (
    <Form.Item
      name="secret"
      label={alertFormText.secret[kind]}
      extra={
        <>
          {alertFormText.secretHint[kind]}
          {kind === 'webhook' && <Mono>{alertFormText.signatureHeader}</Mono>}
        </>
      }
      normalize={trimmed}
    >
      <Input
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_ALERT_SECRET_LENGTH}
        placeholder={hasSecret ? secretPlaceholder : alertFormText.optional}
      />
    </Form.Item>
  );
}

export function SendKeyField({ isSet }: { isSet: boolean }) {
  return (
    <Form.Item
      name="sendKey"
      label={alertFormText.sendKey}
      extra={alertFormText.sendKeyHint}
      normalize={trimmed}
      validateTrigger="onSubmit"
      rules={[{ required: !isSet, message: alertFormText.sendKeyRequired }]}
    >
      <Input
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_ALERT_SECRET_LENGTH}
        placeholder={isSet ? alertFormText.keep : ''}
      />
    </Form.Item>
  );
}
