import type { Security } from '@tongtu/contract';
import { useState } from 'react';
import { secondFactorText } from '../../../text/account/account.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import { useSecurity } from '../use-security.ts';
import styles from '../account.module.css';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RecoveryRow } from './recovery-row.tsx';
import { TotpRow } from './totp-row.tsx';
import { TrustedBrowsers } from './trusted-browsers.tsx';
import { useTurnOffTwoStep } from './use-second-factor.ts';

function isTwoStepOn({ totp, passkeys }: Security): boolean {
  return totp || passkeys.length > 0;
}

export function SecondFactorSection() {
  const security = useSecurity();
  const [codes, setCodes] = useState<string[]>([]);
  const { data } = security;
  const isOn = data !== undefined && isTwoStepOn(data);
  const state = <StateTag tone={isOn ? 'good' : 'muted'}>{isOn ? secondFactorText.on : secondFactorText.off}</StateTag>;
  return (
    <SectionCard
      name="second-factor"
      title={secondFactorText.title}
      intro={secondFactorText.intro}
      extra={data === undefined ? undefined : state}
    >
      <Loaded query={security}>
        {(known) => (
          <>
            <TotpRow isOn={known.totp} onCodes={setCodes} />
            <Passkeys passkeys={known.passkeys} hasTotp={known.totp} onCodes={setCodes} />
            {isTwoStepOn(known) && <RecoveryRow left={known.recovery_codes_left} onCodes={setCodes} />}
            {isTwoStepOn(known) && <TrustedBrowsers />}
            {isTwoStepOn(known) && <TurnOff />}
          </>
        )}
      </Loaded>
      {/* Not in the row that created the codes: the row may be unmounted while the dialog is open. */}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </SectionCard>
  );
}

function TurnOff() {
  const turnOff = useTurnOffTwoStep();
  return (
    <div className={styles.foot}>
      <ConfirmedButton
        danger
        question={{
          title: secondFactorText.turnOffAllTitle,
          text: secondFactorText.turnOffAllText,
          confirm: secondFactorText.turnOffAll,
        }}
        run={() => turnOff.mutateAsync()}
        isRunning={turnOff.isPending}
        done={secondFactorText.turnedOff}
      />
    </div>
  );
}
