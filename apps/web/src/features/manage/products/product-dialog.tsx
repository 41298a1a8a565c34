import { Checkbox, Form, Input, InputNumber, Switch } from 'antd';
import type { CloudAppKind, ManagedProduct } from '@tongtu/contract';
import { cloudAppKinds } from '@tongtu/contract/app-kinds';
import { MAX_MAPPINGS_PER_DEVICE, MAX_NAME_LENGTH, MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import { errorText } from '../../../api/index.ts';
import { appKindWords } from '../../../text/cloud-apps/cloud-apps.ts';
import { managedProductsText, productFormText } from '../../../text/management/products.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../frame/frame.module.css';
import { useSaveProduct } from './use-managed-products.ts';

type Fields = {
  name: string;
  description: string;
  days: number;
  mbps: number;
  mappings: number;
  yuan: number;
  apps: CloudAppKind[];
  position: number;
  listed: boolean;
};

const megabit = 1_000_000;
/** The contract's limits, in the units of the form. */
const limits = {
  days: { min: 1, max: 730, precision: 0 },
  mbps: { min: 0.064, max: 10_000, precision: 3 },
  mappings: { min: 1, max: MAX_MAPPINGS_PER_DEVICE, precision: 0 },
  yuan: { min: 0, max: 1_000_000, precision: 2 },
  position: { min: 0, max: 10_000, precision: 0 },
} as const;

function fieldsOf(product: ManagedProduct | undefined): Partial<Fields> {
  if (!product) return { name: '', description: '', days: 365, apps: [...cloudAppKinds], position: 0, listed: true };
  return {
    name: product.name,
    description: product.description,
    days: product.days,
    mbps: product.bandwidth_bps / megabit,
    mappings: product.mapping_limit,
    yuan: product.price_fen / 100,
    apps: product.app_kinds,
    position: product.position,
    listed: product.listed,
  };
}

function bodyOf({ mbps, mappings, yuan, apps, ...fields }: Fields) {
  return {
    ...fields,
    name: fields.name.trim(),
    description: fields.description.trim(),
    bandwidth_bps: Math.round(mbps * megabit),
    mapping_limit: mappings,
    price_fen: Math.round(yuan * 100),
    app_kinds: apps,
  };
}

/** A new product, or a change of one that changes nothing that was sold. */
export function ProductDialog({ product, onClose }: { product: ManagedProduct | undefined; onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const save = useSaveProduct(product);
  const toast = useToast();
  const submit = useSubmit({
    send: (fields: Fields) => save.mutateAsync(bodyOf(fields)),
    onSuccess: ({ name }) => toast.success(productFormText.saved(name)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={product ? managedProductsText.editLabel(product.name) : managedProductsText.create}
      okText={productFormText.save}
      confirmLoading={save.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="product"
        layout="vertical"
        requiredMark={false}
        initialValues={fieldsOf(product)}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(save)}
      >
        <Form.Item
          name="name"
          label={productFormText.name}
          rules={[{ required: true, whitespace: true, message: productFormText.nameRequired }]}
        >
          <Input autoFocus autoComplete="off" maxLength={MAX_NAME_LENGTH} />
        </Form.Item>
        <Form.Item name="description" label={productFormText.description}>
          <Input.TextArea autoSize={{ minRows: 1, maxRows: 4 }} maxLength={MAX_REMARK_LENGTH} />
        </Form.Item>
        <div className={styles.pair}>
          <NumberField name="days" label={productFormText.days} />
          <NumberField name="yuan" label={productFormText.price} extra={productFormText.priceHint} />
          <NumberField name="mbps" label={productFormText.bandwidth} />
          <NumberField name="mappings" label={productFormText.mappings} />
        </div>
        <Form.Item name="apps" label={productFormText.apps}>
          <Checkbox.Group options={cloudAppKinds.map((kind) => ({ value: kind, label: appKindWords[kind] }))} />
        </Form.Item>
        <div className={styles.pair}>
          <NumberField name="position" label={productFormText.position} extra={productFormText.positionHint} />
          <Form.Item name="listed" label={productFormText.listed} valuePropName="checked">
            <Switch />
          </Form.Item>
        </div>
        <SubmitOnEnter />
      </Form>
      <Problem error={save.error} />
    </Dialog>
  );
}

function NumberField({ name, label, extra }: { name: keyof typeof limits; label: string; extra?: string }) {
  const { min, max, precision } = limits[name];
  const message = productFormText.range(min, max);
  return (
    <Form.Item name={name} label={label} extra={extra} rules={[{ required: true, type: 'number', min, max, message }]}>
      <InputNumber precision={precision} controls={false} className={styles.number ?? ''} />
    </Form.Item>
  );
}
