import type { LoginReply, SiteConfig } from '@tongtu/contract';
import { ownPageUrl } from '../guards.ts';
import { paths, withQuery } from '../paths.ts';
import { loginText } from '../text/login.ts';
import { PlainButton } from '../ui/plain/plain-button.tsx';
import { isNarrowWindow } from '../ui/use-media-query.ts';
import { createCaptcha } from '../features/captcha/create-captcha.ts';
import type { GateDeps } from '../features/check/gate-deps.ts';
import { LoginFrame } from '../features/login/login-frame.tsx';
import styles from '../features/login/login.module.css';
import { PasskeyLogin } from '../features/login/passkey-login.tsx';
import { PasswordForm } from '../features/login/password-form.tsx';
import { forgetPhone } from '../features/login/phone/phone-note.ts';
import { offeredMethods, storeLastMethod } from '../features/login/sign-in-methods.ts';

type SmallLoginProps = {
  deps: GateDeps;
  site: SiteConfig | undefined;
  /** The query of the login screen's place. */
  query: URLSearchParams;
  /** The console has the other sign-in methods. */
  onOtherMethod: () => void;
  onLoggedIn: () => void;
};

/** The login screen while nothing but the password is needed: it is there before the console's libraries are loaded. */
export function SmallLogin({ deps, site, query, onOtherMethod, onLoggedIn }: SmallLoginProps) {
  const { call } = deps;
  const methods = offeredMethods(site, isNarrowWindow());
  const loginPath = withQuery(paths.login, Object.fromEntries(query));

  async function follow(reply: LoginReply) {
    storeLastMethod('password');
    if (reply.second_factor) return deps.goToSecondStep(reply.second_factor, loginPath);
    return await enter();
  }

  async function enter() {
    const url = query.get('url') || undefined;
    forgetPhone();
    // The gate knows where to go; only the console's own places need the console.
    const isOwnPage = url === undefined || ownPageUrl(url, window.location.href) !== undefined;
    if (isOwnPage) onLoggedIn();
    else deps.goTo(withQuery(paths.check, { url }), { isReplacing: true });
  }

  return (
    <LoginFrame>
      <h2 className={styles.title}>{loginText.title}</h2>
      <PasswordForm
        call={call}
        captcha={createCaptcha({ call, ask: deps.solve, purpose: 'login' })}
        aff={query.get('aff') || undefined}
        onReply={follow}
        onForgotten={() => deps.goToForgotten(loginPath)}
      >
        {site?.has_administrator === false && <p className={styles.hint}>{loginText.firstTime}</p>}
        {methods.length > 1 && (
          <div className={styles.others}>
            <PlainButton type="link" onClick={onOtherMethod}>
              {loginText.otherMethods(methods.filter((method) => method !== 'password'))}
            </PlainButton>
          </div>
        )}
      </PasswordForm>
      <PasskeyLogin call={call} onReply={enter} />
    </LoginFrame>
  );
}
