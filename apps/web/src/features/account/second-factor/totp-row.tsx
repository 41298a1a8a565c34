import { Button } from 'antd';
import type { Reply } from '@tongtu/contract';
import { useState } from 'react';
import { secondFactorText } from '../../../text/account/account.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import { TotpDialog } from './totp-dialog.tsx';
import { useStartTotp, useTurnOffTotp } from './use-second-factor.ts';

type TotpRowProps = { isOn: boolean; onCodes: (codes: string[]) => void };

export function TotpRow({ isOn, onCodes }: TotpRowProps) {
  return (
    <SettingRow
      title={
        <>
          {secondFactorText.totp}
          {isOn && <StateTag tone="good">{secondFactorText.on}</StateTag>}
        </>
      }
      text={secondFactorText.totpText}
      actions={isOn ? <TurnOff /> : <TurnOn onCodes={onCodes} />}
    />
  );
}

function TurnOn({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const toastFailure = useFailureToast();
  const start = useStartTotp();
  const [setup, setSetup] = useState<Reply<'POST /api/user/totp/'>>();
  return (
    <>
      <Button
        loading={start.isPending}
        onClick={() => start.mutate(undefined, { onSuccess: setSetup, onError: toastFailure })}
        aria-label={`${secondFactorText.turnOn}${secondFactorText.totp}`}
      >
        {secondFactorText.turnOn}
      </Button>
      {setup && <TotpDialog setup={setup} onClose={() => setSetup(undefined)} onCodes={onCodes} />}
    </>
  );
}

function TurnOff() {
  const turnOff = useTurnOffTotp();
  return (
    <ConfirmedButton
      question={{
        title: secondFactorText.turnOffTotp,
        text: secondFactorText.turnOffTotpText,
        confirm: secondFactorText.turnOff,
      }}
      run={() => turnOff.mutateAsync()}
      isRunning={turnOff.isPending}
      done={secondFactorText.totpTurnedOff}
      aria-label={`${secondFactorText.turnOff}${secondFactorText.totp}`}
    />
  );
}
