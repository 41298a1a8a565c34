import { Form } from 'antd';
import type { Reply } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { totpText } from '../../../text/account/account.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { codeDigits } from '../../../ui/fields/code-digits.ts';
import { CodeInput } from '../../../ui/fields/code-input.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { QrCanvas } from '../../../ui/copy/qr-canvas.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { codeRules } from '../../codes/code-field.tsx';
import { Problem } from '../../confirm/problem.tsx';
import { totpErrorText } from '../../confirm/totp-error-text.ts';
import styles from '../account.module.css';
import { useFinishTotp } from './use-second-factor.ts';

const dialogWidthPx = 440;
const groupLength = 4;

/** Groups are easier to type from one screen into another. */
function inGroups(secret: string): string {
  return secret.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join(' ') ?? secret;
}

type TotpDialogProps = {
  setup: Reply<'POST /api/user/totp/'>;
  onClose: () => void;
  /** The recovery codes, if these are the first ones. */
  onCodes: (codes: string[]) => void;
};

export function TotpDialog({ setup, onClose, onCodes }: TotpDialogProps) {
  const [form] = Form.useForm<{ code: string }>();
  const toast = useToast();
  const finish = useFinishTotp();
  const submit = useSubmit({
    send: ({ code }: { code: string }) => finish.mutateAsync(code),
    onSuccess: ({ recovery_codes: codes }) => {
      toast.success(totpText.turnedOn);
      onCodes(codes);
    },
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={totpText.title}
      width={dialogWidthPx}
      okText={totpText.finish}
      confirmLoading={finish.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <p className={styles.hint}>{totpText.scan}</p>
      <div className={styles.qrCode}>
        <QrCanvas text={setup.uri} label={totpText.qrCode} />
      </div>
      <p className={styles.hint}>{totpText.typeIn}</p>
      <div className={styles.secretLine}>
        <Mono>{inGroups(setup.secret)}</Mono>
        <CopyButton text={setup.secret} label={totpText.secret} />
      </div>
      <Form
        form={form}
        name="totp"
        layout="vertical"
        requiredMark={false}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(finish)}
      >
        <Form.Item name="code" label={totpText.code} rules={codeRules} normalize={codeDigits}>
          <CodeInput autoFocus />
        </Form.Item>
      </Form>
      <Problem error={finish.error} textOf={totpErrorText} />
    </Dialog>
  );
}
