import { Button } from 'antd';
import type { FrpcAccount } from '@tongtu/contract';
import { useSiteConfig } from '../../../api/index.ts';
import { frpcTomlText } from '../../../text/devices/frpc.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import { FormTabs, FrpcNotes } from './frpc-texts.tsx';
import { useFrpcAccount } from './use-frpc.ts';

const forms = ['toml', 'ini'] as const;

type AccountTextsProps = {
  /** The account after a change of its token. */
  rotated?: FrpcAccount | undefined;
  onShown?: (account: FrpcAccount) => void;
};

/** What to change in the user's own frpc.toml, shown on request. */
export function AccountTexts({ rotated, onShown }: AccountTextsProps) {
  const reveal = useFrpcAccount();
  const showFailure = useFailureToast();
  const ports = useSiteConfig()?.mapping_ports;
  const account = rotated ?? reveal.data;
  return (
    <>
      <p className={lines.hint}>{frpcTomlText.intro}</p>
      <p className={lines.hint}>{frpcTomlText.limits(ports && `${ports.from}–${ports.to}`)}</p>
      {account ? (
        <>
          <FormTabs
            texts={forms.map((form) => ({ form, text: account[form], hint: frpcTomlText.hints[form] }))}
            label={frpcTomlText.settings}
          />
          <FrpcNotes configuration={account} secretHint={frpcTomlText.secretHint} />
          <p className={lines.note}>{frpcTomlText.severalHint(account.user)}</p>
        </>
      ) : (
        <>
          <p className={lines.hint}>{frpcTomlText.revealHint}</p>
          <Button
            type="primary"
            loading={reveal.isPending}
            onClick={() => reveal.mutate(undefined, { onSuccess: (shown) => onShown?.(shown), onError: showFailure })}
          >
            {frpcTomlText.reveal}
          </Button>
        </>
      )}
    </>
  );
}
