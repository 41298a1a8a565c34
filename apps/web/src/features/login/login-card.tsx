import type { LoginReply, SecondFactorNeed } from '@tongtu/contract';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useApi } from '../../api/index.ts';
import { forgottenPassword, readSecondStep, sessionLost } from '../../paths.ts';
import { loginText } from '../../text/login.ts';
import { secondStepText } from '../../text/second-step.ts';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import styles from './login.module.css';
import { LoginTabs } from './login-tabs.tsx';
import { storeLastMethod, type SignInMethod } from './sign-in-methods.ts';
import { PasskeyLogin } from './passkey-login.tsx';
import { useEnter } from './use-login.ts';
import { readPendingState } from './wechat/wechat-note.ts';

/** Most logins need neither. */
const ForgottenPassword = lazy(async () => ({ default: (await import('./forgotten-password.tsx')).ForgottenPassword }));
const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }));

type Stage = { type: 'first' } | { type: 'second'; need: SecondFactorNeed } | { type: 'reset' };
type Notice = { type: 'warning' | 'success'; title: string };

/** The whole login. The address does not change, so `url`, `aff` and `invalidDomain` stay. */
export function LoginCard() {
  const { state: cameWith } = useLocation();
  const [query] = useSearchParams();
  const { call } = useApi();
  const enter = useEnter();
  const [stage, setStage] = useState<Stage>(() => {
    if (cameWith === forgottenPassword) return { type: 'reset' };
    const need = readSecondStep(cameWith);
    return need === undefined ? { type: 'first' } : { type: 'second', need };
  });
  const [wanted, setWanted] = useState<SignInMethod | undefined>(() => (readPendingState() ? 'wechat' : undefined));
  const [notice, setNotice] = useState<Notice | undefined>(
    cameWith === sessionLost ? { type: 'warning', title: loginText.sessionLost } : undefined,
  );

  async function follow(method: SignInMethod, reply: LoginReply) {
    storeLastMethod(method);
    setNotice(undefined);
    if (!reply.second_factor) return await enter();
    setStage({ type: 'second', need: reply.second_factor });
  }
  const back = useCallback((next?: Notice) => {
    setNotice(next);
    setStage({ type: 'first' });
  }, []);
  const startAgain = useCallback(() => back({ type: 'warning', title: secondStepText.expired }), [back]);

  if (stage.type === 'second') {
    return (
      <Suspense fallback={<FormSkeleton />}>
        <SecondStep need={stage.need} onExpired={startAgain} onBack={() => back()} />
      </Suspense>
    );
  }
  if (stage.type === 'reset') {
    return (
      <Suspense fallback={<FormSkeleton />}>
        <ForgottenPassword
          onDone={() => {
            setWanted('password');
            back({ type: 'success', title: loginText.resetDone });
          }}
          onBack={() => {
            setWanted('password');
            back();
          }}
        />
      </Suspense>
    );
  }
  return (
    <>
      <h2 className={styles.title}>{loginText.title}</h2>
      {notice && <PlainNotice type={notice.type} text={notice.title} />}
      <LoginTabs
        aff={query.get('aff') || undefined}
        wanted={wanted}
        onReply={follow}
        onForgotten={() => setStage({ type: 'reset' })}
      />
      <PasskeyLogin call={call} onReply={enter} />
    </>
  );
}
