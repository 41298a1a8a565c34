import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { SecondFactorNeed } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { errorCode } from '../../../api/client/api-error.ts';
import type { Call } from '../../../api/client/call-types.ts';
import { secondStepText } from '../../../text/login/second-step.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainCheckbox } from '../../../ui/plain/plain-checkbox.tsx';
import { useSending } from '../../../ui/fields/use-sending.ts';
import { passkeyErrorText } from '../../confirm/passkey-error-text.ts';
import { totpErrorText } from '../../confirm/totp-error-text.ts';
import { usePasskeyAnswer } from '../../confirm/use-passkey-answer.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import { useFirstFocus } from '../../../ui/plain/use-first-focus.ts';
import { SecondCodeField, type TypedProof } from './second-code-field.tsx';

type Method = SecondFactorNeed['methods'][number];
type SecondProof = TypedProof | { passkey: Record<string, unknown> };

/** Where the browser does not support passkeys, another method comes first. */
function usableMethods(need: SecondFactorNeed): Method[] {
  return need.methods.filter((method) => method !== 'passkey' || browserSupportsWebAuthn());
}

type SecondStepProps = {
  call: Call;
  need: SecondFactorNeed;
  /** The user is logged in. */
  onDone: () => void;
  /** The login has to start again. */
  onExpired: () => void;
  onBack: () => void;
};

/** The second step of a login by password, phone or WeChat. */
export function SecondStep({ call, need, onDone, onExpired, onBack }: SecondStepProps) {
  const { token } = need;
  const methods = usableMethods(need);
  const [method, setMethod] = useState<Method | undefined>(methods[0]);
  const passkey = usePasskeyAnswer();
  const [trustsBrowser, setTrustsBrowser] = useState(false);
  const step = useSending(
    async (prove: () => Promise<SecondProof>) => {
      const proof = await prove();
      await call('POST /custom/login/second/', { body: { token, trust_browser: trustsBrowser, ...proof } });
      onDone();
    },
    { staysPending: true },
  );

  async function provePasskey(): Promise<SecondProof> {
    const getOptions = (signal: AbortSignal) =>
      call('POST /custom/login/second/passkey_options/', { body: { token }, signal });
    return { passkey: await passkey.ask(getOptions) };
  }

  const isExpired = errorCode(step.error) === 'second-factor.expired';
  useEffect(() => {
    if (isExpired) onExpired();
  }, [isExpired, onExpired]);

  function choose(other: Method) {
    passkey.stop();
    step.reset();
    setMethod(other);
  }
  const others = methods.filter((other) => other !== method);
  const isFixed = step.isPending && !passkey.isWaiting;

  return (
    <>
      <h2 className={styles.title}>{secondStepText.title}</h2>
      <p className={styles.lead}>{method ? secondStepText.hints[method] : secondStepText.passkeyUnsupported}</p>
      <FormError error={step.error} textOf={method === 'totp' ? totpErrorText : passkeyErrorText} />
      {/* Above the code, which is sent as soon as it is complete. */}
      {method !== undefined && (
        <div className={styles.trust}>
          <PlainCheckbox isChecked={trustsBrowser} isDisabled={step.isPending} onChange={setTrustsBrowser}>
            {secondStepText.trustBrowser}
          </PlainCheckbox>
        </div>
      )}
      {method === 'passkey' && <PasskeyProof isBusy={step.isPending} onProve={() => void step.submit(provePasskey)} />}
      {(method === 'totp' || method === 'recovery_code') && (
        <SecondCodeField
          key={method}
          method={method}
          isBusy={step.isPending}
          onProof={(proof) => void step.submit(async () => proof)}
        />
      )}
      <div className={styles.others}>
        {others.map((other) => (
          <PlainButton key={other} type="link" isDisabled={isFixed} onClick={() => choose(other)}>
            {secondStepText.others[other]}
          </PlainButton>
        ))}
        <PlainButton type="link" isDisabled={isFixed} onClick={onBack}>
          {secondStepText.back}
        </PlainButton>
      </div>
    </>
  );
}

function PasskeyProof({ isBusy, onProve }: { isBusy: boolean; onProve: () => void }) {
  const first = useFirstFocus<HTMLButtonElement>();
  return (
    <PlainButton ref={first} type="primary" isLarge isBlock isLoading={isBusy} onClick={onProve}>
      {secondStepText.usePasskey}
    </PlainButton>
  );
}
