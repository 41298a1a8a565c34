import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { Alert, Button, Checkbox, Form } from 'antd';
import type { SecondFactorNeed } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { errorCode, useApi } from '../../api/index.ts';
import { secondStepText } from '../../text/second-step.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { passkeyErrorText } from '../confirm/passkey-error-text.ts';
import { totpErrorText } from '../confirm/totp-error-text.ts';
import { usePasskeyAnswer } from '../confirm/use-passkey-answer.ts';
import styles from './login.module.css';
import { SecondCodeField } from './second-code-field.tsx';
import { type SecondProof, useEnter, useSecondStep } from './use-login.ts';

type Method = SecondFactorNeed['methods'][number];

/** Where the browser does not support passkeys, another method comes first. */
function usableMethods(need: SecondFactorNeed): Method[] {
  return need.methods.filter((method) => method !== 'passkey' || browserSupportsWebAuthn());
}

type SecondStepProps = {
  need: SecondFactorNeed;
  /** The login has to start again. */
  onExpired: () => void;
  onBack: () => void;
};

/** The second step of a login by password, phone or WeChat. */
export function SecondStep({ need, onExpired, onBack }: SecondStepProps) {
  const methods = usableMethods(need);
  const [method, setMethod] = useState<Method | undefined>(methods[0]);
  const step = useSecondStep(need, useEnter());
  const { call } = useApi();
  const passkey = usePasskeyAnswer();
  const [trustsBrowser, setTrustsBrowser] = useState(false);
  const submit = useSubmit({
    send: (prove: SecondProof | (() => Promise<SecondProof>)) => step.mutateAsync({ prove, trustsBrowser }),
  });

  async function provePasskey(): Promise<SecondProof> {
    const { token } = need;
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
  const isBusy = step.isPending || step.isSuccess;
  const others = methods.filter((other) => other !== method);

  return (
    <>
      <h2 className={styles.title}>{secondStepText.title}</h2>
      <p className={styles.lead}>{method ? secondStepText.hints[method] : secondStepText.passkeyUnsupported}</p>
      {step.isError && (
        <Alert
          type="error"
          showIcon
          title={(method === 'totp' ? totpErrorText : passkeyErrorText)(step.error)}
          className={styles.error ?? ''}
        />
      )}
      {/* Above the code, which is sent as soon as it is complete. */}
      {method !== undefined && (
        <Checkbox
          checked={trustsBrowser}
          disabled={isBusy}
          onChange={(event) => setTrustsBrowser(event.target.checked)}
          className={styles.trust ?? ''}
        >
          {secondStepText.trustBrowser}
        </Checkbox>
      )}
      {method === 'passkey' && (
        <Button type="primary" size="large" block autoFocus loading={isBusy} onClick={() => void submit(provePasskey)}>
          {secondStepText.usePasskey}
        </Button>
      )}
      {(method === 'totp' || method === 'recovery_code') && (
        <SecondCodeField key={method} method={method} isBusy={isBusy} onProof={(proof) => void submit(proof)} />
      )}
      <Form component="div" disabled={isBusy && !passkey.isWaiting} className={styles.others ?? ''}>
        {others.map((other) => (
          <Button key={other} type="link" onClick={() => choose(other)}>
            {secondStepText.others[other]}
          </Button>
        ))}
        <Button type="link" onClick={onBack}>
          {secondStepText.back}
        </Button>
      </Form>
    </>
  );
}
