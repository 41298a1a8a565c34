import { type SubmitEvent, useRef } from 'react';
import { errorText, useApi, useSiteConfig } from '../../../api/index.ts';
import { phoneText } from '../../../text/account/users.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useCaptcha } from '../../captcha/use-captcha.tsx';
import { Problem } from '../../confirm/problem.tsx';
import { PhoneCodeFields } from '../../login/phone/phone-code-fields.tsx';
import { usePhoneCode } from '../../login/phone/use-phone-code.ts';
import { useBindPhone } from '../use-user-info.ts';
import styles from '../account.module.css';

export function BindPhoneDialog({ onClose }: { onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const { call } = useApi();
  const captcha = useCaptcha('sms');
  const regions = useSiteConfig()?.phone_regions;
  const bind = useBindPhone();
  const phone = usePhoneCode({ call, captcha, purpose: 'bind', regions, attempt: bind });
  const send = useSubmit({
    send: (typed: { phone: string; code: string }) => bind.mutateAsync(typed),
    onSuccess: () => toast.success(phoneText.done),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  function submit(event: SubmitEvent) {
    event.preventDefault();
    const typed = phone.check();
    if (typed) void send(typed);
  }
  return (
    <Dialog
      title={phoneText.bindTitle}
      okText={phoneText.bind}
      confirmLoading={bind.isPending}
      onOk={() => form.current?.requestSubmit()}
      onClose={onClose}
    >
      <form ref={form} className={styles.form} noValidate onSubmit={submit} onInput={() => forgetFailure(bind)}>
        <PhoneCodeFields phone={phone} isDisabled={bind.isPending} />
        <SubmitOnEnter />
      </form>
      <Problem error={phone.failure} />
    </Dialog>
  );
}
