import { captchaButtonText } from '../../text/login/captcha-button.ts';
import { CaptchaButton, type CaptchaButtonVariant } from '../../ui/captcha/captcha-button.tsx';
import type { LoginCaptchaState } from './use-login-captcha.ts';

const looks: Record<LoginCaptchaState, { variant: CaptchaButtonVariant; title?: string }> = {
  asked: { variant: 'default' },
  closed: { variant: 'warn', title: captchaButtonText.unsolved },
  failed: { variant: 'error', title: captchaButtonText.failed },
  solved: { variant: 'success', title: captchaButtonText.solved },
};

type LoginCaptchaButtonProps = { state: LoginCaptchaState; isDisabled: boolean; onClick: () => void };

/** Opens the captcha of a login, and shows how it ended. */
export function LoginCaptchaButton({ state, ...button }: LoginCaptchaButtonProps) {
  return <CaptchaButton {...looks[state]} {...button} />;
}
