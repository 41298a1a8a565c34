import { Alert, Tabs } from 'antd';
import type { FrpcConfiguration } from '@tongtu/contract';
import { isLoopbackHost } from '../../../address/public-address.ts';
import { frpcText } from '../../../text/devices/frpc.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import lines from '../../enrolment-keys/enrolment-keys.module.css';

const forms = ['toml', 'ini', 'uci'] as const;
type Form = (typeof forms)[number];

/** The configuration of a device's frpc in each form, to copy. */
export function FrpcTexts({ configuration }: { configuration: FrpcConfiguration }) {
  return (
    <>
      <FormTabs
        texts={forms.map((form) => ({ form, text: configuration[form], hint: frpcText.hints[form] }))}
        label={frpcText.configuration}
      />
      <FrpcNotes configuration={configuration} />
    </>
  );
}

type FormTabsProps = {
  /** The text in each form, and where it goes. */
  texts: readonly { form: Form; text: string; hint: string }[];
  /** What is copied. */
  label: string;
};

/** The same settings of frpc in each form, to copy. */
export function FormTabs({ texts, label }: FormTabsProps) {
  const tabs = texts.map(({ form, text, hint }) => ({
    key: form,
    label: frpcText.forms[form],
    children: (
      <>
        <p className={lines.hint}>{hint}</p>
        <div className={lines.command}>
          <pre>{text}</pre>
          <CopyButton text={text} label={label} type="primary" size="middle">
            {frpcText.copy}
          </CopyButton>
        </div>
      </>
    ),
  }));
  return <Tabs items={tabs} tabBarGutter={20} />;
}

type FrpcNotesProps = {
  configuration: Pick<FrpcConfiguration, 'is_certificate_checked' | 'server_host'>;
  secretHint?: string;
};

/** What to know about the configuration of a device's frpc. */
export function FrpcNotes({ configuration, secretHint = frpcText.secretHint }: FrpcNotesProps) {
  return (
    <>
      {isLoopbackHost(configuration.server_host) && (
        <Alert type="warning" showIcon title={frpcText.loopbackHint} className={lines.loopback ?? ''} />
      )}
      {configuration.is_certificate_checked ? (
        <p className={lines.note}>{frpcText.caHint}</p>
      ) : (
        <Alert type="warning" showIcon title={frpcText.uncheckedHint} className={lines.loopback ?? ''} />
      )}
      <p className={lines.note}>{secretHint}</p>
    </>
  );
}
