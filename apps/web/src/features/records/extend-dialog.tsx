import { Form, Input, Segmented } from 'antd';
import type { VerificationRecord } from '@tongtu/contract';
import { MAX_ACCESS_HOURS } from '@tongtu/contract/limits';
import { errorText } from '../../api/index.ts';
import { recordsText } from '../../text/records.ts';
import { momentText } from '../../text/moment-text.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import { Problem } from '../confirm/problem.tsx';
import { nameOf } from './describe-record.ts';
import styles from './records.module.css';
import { useExtendRecord } from './use-records.ts';

type Unit = 'hours' | 'days';
type Fields = { amount: string; unit: Unit };

const hoursPer: Record<Unit, number> = { hours: 1, days: 24 };
const unitOptions = (['hours', 'days'] as const).map((value) => ({ value, label: recordsText.units[value] }));
const initial: Fields = { amount: '30', unit: 'days' };

/** Extends a verification by up to a year. */
export function ExtendDialog({ record, onClose }: { record: VerificationRecord; onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const unit = Form.useWatch('unit', form) ?? initial.unit;
  const toast = useToast();
  const extend = useExtendRecord();
  const max = MAX_ACCESS_HOURS / hoursPer[unit];
  const send = useSubmit({
    send: (fields: Fields) =>
      extend.mutateAsync({ id: record.id, hours: Number(fields.amount) * hoursPer[fields.unit] }),
    onSuccess: ({ expires_at: expiresAt }) => toast.success(recordsText.extended(momentText(expiresAt))),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  async function checkAmount(_rule: unknown, amount: string): Promise<void> {
    const isValid = /^[1-9]\d{0,3}$/.test(amount) && Number(amount) <= max;
    if (!isValid) throw new Error(recordsText.extendRange(max, recordsText.units[unit]));
  }

  return (
    <Dialog
      title={recordsText.extendTitle}
      okText={recordsText.extend}
      confirmLoading={extend.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <p className={styles.hint}>{recordsText.extendHint(nameOf(record))}</p>
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(fields) => void send(fields)}
      >
        <div className={styles.span}>
          <Form.Item
            name="amount"
            label={recordsText.extendAmount}
            dependencies={['unit']}
            normalize={(amount: string) => amount.normalize('NFKC').trim()}
            rules={[{ validator: checkAmount }]}
          >
            <Input inputMode="numeric" autoComplete="off" autoFocus />
          </Form.Item>
          <Form.Item name="unit" label={recordsText.extendUnit}>
            <Segmented options={unitOptions} aria-label={recordsText.extendUnit} />
          </Form.Item>
        </div>
        <Problem error={extend.error} />
      </Form>
    </Dialog>
  );
}
