import { Alert, Button, Form, Input, Space } from 'antd';
import type { CaptchaPurpose } from '@tongtu/contract';
import { MAX_EMAIL_LENGTH } from '@tongtu/contract/limits';
import { errorText, retryAfterSeconds } from '../../api/index.ts';
import { codeText } from '../../text/account/account.ts';
import { captchaDialogText } from '../../text/login/captcha.ts';
import { codeDigits, completeCode } from '../../ui/fields/code-digits.ts';
import { CodeInput } from '../../ui/fields/code-input.tsx';
import { useCountdown } from '../../ui/time/use-countdown.ts';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import styles from './captcha-dialog.module.css';
import { useEmailChallenge } from './use-email-challenge.ts';

type EmailChallengeProps = { purpose: CaptchaPurpose; onDone: (ticket: string) => void; onBack: () => void };
type Fields = { email: string; code: string };

/** For users who cannot see the images. */
export function EmailChallenge({ purpose, onDone, onBack }: EmailChallengeProps) {
  const [form] = Form.useForm<Fields>();
  const { send, answer } = useEmailChallenge(purpose);
  const countdown = useCountdown(`captcha-email.${purpose}`);

  async function requestCode() {
    const { email } = await form.validateFields(['email']);
    answer.reset();
    send.mutate(email, {
      onSuccess: ({ retry_after }) => countdown.start(retry_after),
      onError: (error) => countdown.start(retryAfterSeconds(error) ?? 0),
    });
  }
  const submit = useSubmit({
    send: (fields: Fields) => answer.mutateAsync(fields),
    onSuccess: ({ ticket }) => onDone(ticket),
  });

  const error = answer.error ?? send.error;
  const isCounting = countdown.secondsLeft > 0;
  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      noValidate
      requiredMark={false}
      className={styles.email ?? ''}
      onFinish={(fields) => void submit(fields)}
    >
      <h2 className={styles.emailTitle}>{captchaDialogText.title}</h2>
      <p className={styles.emailHint}>{captchaDialogText.emailHint}</p>
      <Form.Item
        name="email"
        label={captchaDialogText.email}
        rules={[{ required: true, type: 'email', message: captchaDialogText.emailRequired }]}
      >
        <Input autoFocus type="email" autoComplete="email" maxLength={MAX_EMAIL_LENGTH} />
      </Form.Item>
      <Form.Item label={captchaDialogText.code} htmlFor="captcha-email-code">
        <Space.Compact block>
          <Form.Item
            name="code"
            noStyle
            normalize={codeDigits}
            rules={[{ required: true, pattern: completeCode, message: captchaDialogText.codeRequired }]}
          >
            <CodeInput id="captcha-email-code" />
          </Form.Item>
          <Button
            loading={send.isPending}
            disabled={isCounting}
            // The form shows what is wrong with the address.
            onClick={() => void requestCode().catch(() => undefined)}
          >
            {isCounting ? codeText.resendIn(countdown.secondsLeft) : codeText.send}
          </Button>
        </Space.Compact>
      </Form.Item>
      {error && <Alert type="error" showIcon title={errorText(error)} className={styles.emailError ?? ''} />}
      {!error && send.isSuccess && (
        <Alert type="info" showIcon title={captchaDialogText.sent} className={styles.emailError ?? ''} />
      )}
      <div className={styles.emailActions}>
        <Button type="link" onClick={onBack}>
          {captchaDialogText.byImage}
        </Button>
        <Button type="primary" htmlType="submit" loading={answer.isPending}>
          {captchaDialogText.submit}
        </Button>
      </div>
    </Form>
  );
}
