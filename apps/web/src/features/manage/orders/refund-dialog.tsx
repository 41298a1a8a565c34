import { Form, Input, InputNumber, Radio } from 'antd';
import type { ManagedOrder } from '@tongtu/contract';
import { MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import { errorText } from '../../../api/index.ts';
import { refundText } from '../../../text/management/orders.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../frame/frame.module.css';
import { useRefund } from './use-managed-orders.ts';

type Fields = { how: 'full' | 'partial'; yuan?: number | null; reason: string };

/** Gives back what was paid, or a part of it. It says beforehand what is taken back for it. */
export function RefundDialog({ order, onClose }: { order: ManagedOrder; onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const refund = useRefund(order.id);
  const toast = useToast();
  const left = order.amount_fen - order.refunded_fen;
  const how = Form.useWatch('how', form) ?? 'full';
  const yuan = Form.useWatch('yuan', form);
  const amount = how === 'full' ? left : Math.round((yuan ?? 0) * 100);
  // The part may be all that is left.
  const takesBack = amount >= left;
  const submit = useSubmit({
    // With what had been refunded when the dialog opened: a try whose answer was lost is not made twice.
    send: ({ reason }: Fields) =>
      refund.mutateAsync({ amount_fen: amount, reason: reason.trim(), refunded_fen: order.refunded_fen }),
    onSuccess: () => toast.success(refundText.done(yuanText(amount))),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={refundText.title(order.number)}
      okText={refundText.submit(yuanText(amount))}
      okButtonProps={{ danger: true }}
      confirmLoading={refund.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <dl className={styles.details}>
        <dt>{refundText.left}</dt>
        <dd>{yuanText(left)}</dd>
      </dl>
      <Form<Fields>
        form={form}
        name="refund"
        layout="vertical"
        requiredMark={false}
        initialValues={{ how: 'full', reason: '' }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(refund)}
      >
        <Form.Item name="how" label={refundText.how}>
          <Radio.Group
            options={[
              { value: 'full', label: refundText.full },
              { value: 'partial', label: refundText.partial },
            ]}
          />
        </Form.Item>
        {how === 'partial' && (
          <Form.Item
            name="yuan"
            label={refundText.amount}
            rules={[
              {
                ...{ required: true, type: 'number', min: 0.01, max: left / 100 },
                message: refundText.amountRange(yuanText(left)),
              },
            ]}
          >
            <InputNumber precision={2} controls={false} className={styles.number ?? ''} />
          </Form.Item>
        )}
        <Form.Item
          name="reason"
          label={refundText.reason}
          extra={refundText.reasonHint}
          rules={[{ required: true, whitespace: true, message: refundText.reasonRequired }]}
        >
          <Input autoComplete="off" maxLength={MAX_REMARK_LENGTH} />
        </Form.Item>
        <SubmitOnEnter />
      </Form>
      <p className={styles.hint}>{takesBack ? refundText.fullEffect[order.kind] : refundText.partialEffect}</p>
      <p className={styles.hint}>{refundText.route}</p>
      <Problem error={refund.error} />
    </Dialog>
  );
}
