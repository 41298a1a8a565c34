import type { LoginReply } from '@tongtu/contract';
import { useEffect } from 'react';
import { HostName } from '../../address/host-name.tsx';
import { forgottenPassword, secondStepState } from '../../routing/paths.ts';
import { gateText } from '../../text/gate/gate.ts';
import { passwordFormText } from '../../text/login/password-form.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { isNarrowWindow } from '../../ui/use-media-query.ts';
import { PasskeyLogin } from '../login/passkey/passkey-login.tsx';
import { PasswordForm } from '../login/password-form.tsx';
import { firstMethod, offeredMethods, storeLastMethod } from '../login/sign-in-methods.ts';
import styles from './check.module.css';
import { loginPathFor } from './fetch-check.ts';
import type { GateDeps, Visit } from './gate-deps.ts';
import { useAnswer } from './use-answer.ts';
import { Waiting } from './waiting.tsx';

type GateLoginProps = { deps: GateDeps; visit: Visit; domain: string; onLoggedIn: () => void };

/**
 * Logs in by password or passkey without leaving the gate. The login screen has the other methods; it opens at once
 * where another one comes first in this browser.
 */
export function GateLogin({ deps, visit, domain, onLoggedIn }: GateLoginProps) {
  const { call } = deps;
  const site = useAnswer('site', (signal) => call('GET /api/site/config/', { signal }));
  const methods = offeredMethods(site.data, isNarrowWindow());
  const isKnown = !site.isAsking;
  const isElsewhere = isKnown && firstMethod(methods) !== 'password';
  const loginPath = loginPathFor(visit.url);

  useEffect(() => {
    if (isElsewhere) deps.goTo(loginPath, { isReplacing: true });
    // oxlint-disable-next-line react/exhaustive-deps -- it leaves once
  }, [isElsewhere]);

  function follow(reply: LoginReply) {
    storeLastMethod('password');
    if (!reply.second_factor) return enter();
    deps.forgetUser();
    return deps.goTo(loginPath, { isReplacing: true, state: secondStepState(reply.second_factor) });
  }
  function enter() {
    deps.forgetUser();
    onLoggedIn();
  }

  if (!isKnown || isElsewhere) return <Waiting text={gateText.checking} domain={domain} />;
  return (
    <section className={styles.login} aria-labelledby="gate-login">
      <h1 id="gate-login" className={styles.loginTitle}>
        {gateText.logInToOpen} <HostName host={domain} />
      </h1>
      <PasswordForm
        deps={deps}
        aff={undefined}
        onReply={follow}
        onForgotten={() => deps.goTo(loginPath, { state: forgottenPassword })}
      >
        <div className={styles.others}>
          <PlainButton type="link" onClick={() => deps.goTo(loginPath)}>
            {methods.length > 1
              ? passwordFormText.otherMethods(methods.filter((method) => method !== 'password'))
              : gateText.loginScreen}
          </PlainButton>
        </div>
      </PasswordForm>
      <PasskeyLogin call={call} onReply={enter} />
    </section>
  );
}
