import { Alert, Tabs } from 'antd';
import type { FrpcConfiguration } from '@tongtu/contract';
import { frpcText } from '../../../text/devices/frpc.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import lines from '../../enrolment-keys/enrolment-keys.module.css';

const forms = ['toml', 'ini', 'uci'] as const;

/** The configuration of a device's frpc in each form, to copy. */
export function FrpcTexts({ configuration }: { configuration: FrpcConfiguration }) {
  const tabs = forms.map((form) => ({
    key: form,
    label: frpcText.forms[form],
    children: (
      <>
        <p className={lines.hint}>{frpcText.hints[form]}</p>
        <div className={lines.command}>
          <pre>{configuration[form]}</pre>
          <CopyButton text={configuration[form]} label={frpcText.configuration} type="primary" size="middle">
            {frpcText.copy}
          </CopyButton>
        </div>
      </>
    ),
  }));
  return (
    <>
      <Tabs items={tabs} tabBarGutter={20} />
      <FrpcNotes configuration={configuration} />
    </>
  );
}

/** What to know about the configuration of a device's frpc. */
export function FrpcNotes({ configuration }: { configuration: FrpcConfiguration }) {
  return (
    <>
      {configuration.is_certificate_checked ? (
        <p className={lines.note}>{frpcText.caHint}</p>
      ) : (
        <Alert type="warning" showIcon title={frpcText.uncheckedHint} className={lines.loopback ?? ''} />
      )}
      <p className={lines.note}>{frpcText.secretHint}</p>
    </>
  );
}
