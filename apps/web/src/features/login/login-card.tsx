import { Alert } from 'antd';
import type { LoginReply, SecondFactorNeed } from '@tongtu/contract';
import { useCallback, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { sessionLost } from '../../paths.ts';
import { loginText, secondStepText } from '../../text/login.ts';
import styles from './login.module.css';
import { LoginTabs } from './login-tabs.tsx';
import { storeLastMethod, type SignInMethod } from './sign-in-methods.ts';
import { ForgottenPassword } from './forgotten-password.tsx';
import { SecondStep } from './second-step.tsx';
import { useEnter } from './use-login.ts';
import { readPendingState } from './wechat/wechat-note.ts';

type Stage = { type: 'first' } | { type: 'second'; need: SecondFactorNeed } | { type: 'reset' };
type Notice = { type: 'warning' | 'success'; title: string };

/** The whole login. The address does not change, so `url`, `aff` and `invalidDomain` stay. */
export function LoginCard() {
  const isSessionLost = useLocation().state === sessionLost;
  const [query] = useSearchParams();
  const enter = useEnter();
  const [stage, setStage] = useState<Stage>({ type: 'first' });
  const [wanted, setWanted] = useState<SignInMethod | undefined>(() => (readPendingState() ? 'wechat' : undefined));
  const [notice, setNotice] = useState<Notice | undefined>(
    isSessionLost ? { type: 'warning', title: loginText.sessionLost } : undefined,
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

  if (stage.type === 'second') return <SecondStep need={stage.need} onExpired={startAgain} onBack={() => back()} />;
  if (stage.type === 'reset') {
    return (
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
    );
  }
  return (
    <>
      <h2 className={styles.title}>{loginText.title}</h2>
      {notice && <Alert type={notice.type} showIcon title={notice.title} className={styles.error ?? ''} />}
      <LoginTabs
        aff={query.get('aff') || undefined}
        wanted={wanted}
        onReply={follow}
        onForgotten={() => setStage({ type: 'reset' })}
      />
    </>
  );
}
