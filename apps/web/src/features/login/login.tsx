import type { LoginReply, SecondFactorNeed } from '@tongtu/contract';
import { lazy, Suspense, useCallback, useState } from 'react';
import { HostName } from '../../address/host-name.tsx';
import { forgottenPassword, readSecondStep, sessionLost } from '../../routing/paths.ts';
import { gateText } from '../../text/gate/gate.ts';
import { loginText } from '../../text/login/login.ts';
import { secondStepText } from '../../text/login/second-step.ts';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';
import { PlainSpinner } from '../../ui/plain/plain-spinner.tsx';
import type { SignInMethodProps } from './login-deps.ts';
import styles from './login.module.css';
import { LoginTabs } from './login-tabs.tsx';
import { PasskeyLogin } from './passkey/passkey-login.tsx';
import { forgetPhone } from './phone/phone-note.ts';
import { storeLastMethod, type SignInMethod } from './sign-in-methods.ts';
import { forgetPendingLogin, readPendingState } from './wechat/wechat-note.ts';

/** Most logins need neither. */
const ForgottenPassword = lazy(async () => ({
  default: (await import('./forgotten-password/forgotten-password.tsx')).ForgottenPassword,
}));
const SecondStep = lazy(async () => ({ default: (await import('./second-step/second-step.tsx')).SecondStep }));

type Stage = { type: 'first' } | { type: 'second'; need: SecondFactorNeed } | { type: 'reset' };
type Notice = { type: 'warning' | 'success'; title: string };

export type LoginProps = Pick<SignInMethodProps, 'deps' | 'site' | 'aff'> & {
  /** The state with which the screen was opened (paths.ts). */
  cameWith: unknown;
  /** The host that is opened afterwards; without one it is the console. */
  host: string | undefined;
  onLoggedIn: () => void;
};

/** The whole login. The address does not change, so `url`, `aff` and `invalidDomain` stay. */
export function Login({ deps, site, aff, cameWith, host, onLoggedIn }: LoginProps) {
  const [stage, setStage] = useState<Stage>(() => {
    if (cameWith === forgottenPassword) return { type: 'reset' };
    const need = readSecondStep(cameWith);
    return need === undefined ? { type: 'first' } : { type: 'second', need };
  });
  const [wanted, setWanted] = useState<SignInMethod | undefined>(() => (readPendingState() ? 'wechat' : undefined));
  const [notice, setNotice] = useState<Notice | undefined>(
    cameWith === sessionLost ? { type: 'warning', title: loginText.sessionLost } : undefined,
  );

  function enter() {
    forgetPhone();
    forgetPendingLogin();
    onLoggedIn();
  }
  function follow(method: SignInMethod, reply: LoginReply) {
    storeLastMethod(method);
    setNotice(undefined);
    if (reply.second_factor) setStage({ type: 'second', need: reply.second_factor });
    else enter();
  }
  const back = useCallback((next?: Notice) => {
    setNotice(next);
    setStage({ type: 'first' });
  }, []);
  const startAgain = useCallback(() => back({ type: 'warning', title: secondStepText.expired }), [back]);

  if (stage.type === 'second') {
    return (
      <Suspense fallback={<Loading />}>
        <SecondStep call={deps.call} need={stage.need} onDone={enter} onExpired={startAgain} onBack={() => back()} />
      </Suspense>
    );
  }
  if (stage.type === 'reset') {
    return (
      <Suspense fallback={<Loading />}>
        <ForgottenPassword
          deps={deps}
          site={site}
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
      <h2 className={styles.title}>{host === undefined ? loginText.title : <ToOpen host={host} />}</h2>
      {notice && <PlainNotice type={notice.type} text={notice.title} />}
      <LoginTabs
        deps={deps}
        site={site}
        aff={aff}
        wanted={wanted}
        onReply={follow}
        onForgotten={() => setStage({ type: 'reset' })}
      />
      <PasskeyLogin call={deps.call} onReply={enter} />
    </>
  );
}

function ToOpen({ host }: { host: string }) {
  return (
    <>
      {gateText.logInToOpen} <HostName host={host} />
    </>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <PlainSpinner />
    </div>
  );
}
