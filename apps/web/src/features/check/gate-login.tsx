import type { LoginReply } from '@tongtu/contract';
import { useEffect } from 'react';
import { shownHost } from '../../shown-host.ts';
import { checkText } from '../../text/check.ts';
import { loginText } from '../../text/login.ts';
import { Mono } from '../../ui/mono.tsx';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { isNarrowWindow } from '../../ui/use-media-query.ts';
import { createCaptcha } from '../captcha/create-captcha.ts';
import { PasskeyLogin } from '../login/passkey-login.tsx';
import { PasswordForm } from '../login/password-form.tsx';
import { firstMethod, offeredMethods, storeLastMethod } from '../login/sign-in-methods.ts';
import styles from './check.module.css';
import type { GateDeps, Visit } from './gate-deps.ts';
import { useAnswer } from './use-answer.ts';
import { loginPathFor } from './use-check.ts';
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

  async function follow(reply: LoginReply) {
    storeLastMethod('password');
    if (reply.second_factor) {
      deps.forgetUser();
      deps.goToSecondStep(reply.second_factor, loginPath);
    } else await enter();
  }
  async function enter() {
    deps.forgetUser();
    onLoggedIn();
  }
  const others = () => deps.goTo(loginPath);

  if (!isKnown || isElsewhere) return <Waiting text={checkText.checking} domain={domain} />;
  return (
    <section className={styles.login} aria-labelledby="gate-login">
      <h1 id="gate-login" className={styles.loginTitle}>
        {checkText.logInToOpen} <Mono>{shownHost(domain)}</Mono>
      </h1>
      <PasswordForm
        call={call}
        captcha={createCaptcha({ call, ask: deps.solve, purpose: 'login' })}
        aff={undefined}
        onReply={follow}
        onForgotten={() => deps.goToForgotten(loginPath)}
      >
        <div className={styles.others}>
          <PlainButton type="link" onClick={others}>
            {methods.length > 1
              ? loginText.otherMethods(methods.filter((method) => method !== 'password'))
              : checkText.loginScreen}
          </PlainButton>
        </div>
      </PasswordForm>
      <PasskeyLogin call={call} onReply={enter} />
    </section>
  );
}
