import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, InputNumber, Select } from 'antd';
import type { BulkProduct } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { managedBulkText, productFormText } from '../../../text/management/products.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../frame/frame.module.css';
import { type ManagedBulk, useAllProducts, useSaveBulkProduct } from './use-managed-products.ts';

type BulkTier = BulkProduct['tiers'][number];
type Fields = { product: number; tiers: BulkTier[] };

const maxQuantity = 1_000;
const maxTiers = 10;
const firstTier: BulkTier = { from: 10, percent: 90 };

/** The discounts of a product, from the smallest quantity on. */
export function BulkDialog({ bulk, onClose }: { bulk: ManagedBulk | undefined; onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const products = useAllProducts();
  const save = useSaveBulkProduct(bulk?.id);
  const toast = useToast();
  const submit = useSubmit({
    send: ({ product, tiers }: Fields) =>
      save.mutateAsync({ product_id: bulk?.product.id ?? product, tiers, listed: true }),
    onSuccess: ({ product }) => toast.success(productFormText.saved(product.name)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  const options = products.data?.results.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <Dialog
      title={bulk ? managedBulkText.editLabel(bulk.product.name) : managedBulkText.create}
      okText={productFormText.save}
      confirmLoading={save.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="bulk"
        layout="vertical"
        requiredMark={false}
        initialValues={{ product: bulk?.product.id, tiers: bulk?.tiers ?? [firstTier] }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(save)}
      >
        {!bulk && (
          <Form.Item
            name="product"
            label={managedBulkText.product}
            rules={[{ required: true, message: managedBulkText.productRequired }]}
          >
            <Select options={options} loading={products.isPending} />
          </Form.Item>
        )}
        <Tiers />
      </Form>
      <Problem error={save.error ?? products.error} />
    </Dialog>
  );
}

function Tiers() {
  return (
    <Form.List name="tiers" rules={[{ validator: async (_rule, tiers: BulkTier[]) => assertDistinct(tiers) }]}>
      {(fields, { add, remove }, { errors }) => (
        <>
          {fields.map(({ key, name }, index) => (
            <div key={key} className={styles.actions}>
              <TierField place={[name, 'from']} index={index} label={managedBulkText.from} max={maxQuantity} />
              <TierField place={[name, 'percent']} index={index} label={managedBulkText.percent} max={100} />
              {fields.length > 1 && (
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={managedBulkText.removeTier(index + 1)}
                  onClick={() => remove(name)}
                />
              )}
            </div>
          ))}
          <Form.ErrorList errors={errors} />
          {fields.length < maxTiers && (
            <Button icon={<PlusOutlined aria-hidden />} onClick={() => add({})}>
              {managedBulkText.addTier}
            </Button>
          )}
        </>
      )}
    </Form.List>
  );
}

type TierFieldProps = { place: [number, 'from' | 'percent']; index: number; label: string; max: number };

function TierField({ place, index, label, max }: TierFieldProps) {
  const message = productFormText.range(1, max);
  return (
    <Form.Item name={place} label={label} rules={[{ required: true, type: 'number', min: 1, max, message }]}>
      <InputNumber precision={0} controls={false} aria-label={managedBulkText.tierLabel(label, index + 1)} />
    </Form.Item>
  );
}

function assertDistinct(tiers: readonly Partial<BulkTier>[] | undefined): void {
  const starts = (tiers ?? []).flatMap((tier) => tier?.from ?? []);
  if (new Set(starts).size < starts.length) throw new Error(managedBulkText.twice);
}
