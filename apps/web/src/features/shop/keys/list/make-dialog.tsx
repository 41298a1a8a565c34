import { Button, Form, InputNumber, Select } from 'antd';
import type { Reply } from '@tongtu/contract';
import { MAX_KEYS_PER_BATCH } from '@tongtu/contract/limits';
import { useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { daysText } from '../../../../text/shop/money.ts';
import { makeText } from '../../../../text/shop/keys.ts';
import { CopyButton } from '../../../../ui/copy/copy-button.tsx';
import { DateField } from '../../../../ui/date-field/date-field.tsx';
import { dateRule } from '../../../../ui/date-field/date-rule.ts';
import { readDate } from '../../../../ui/date-field/date-text.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { Mono } from '../../../../ui/mono.tsx';
import { useToast } from '../../../../ui/use-toast.ts';
import { Problem } from '../../../confirm/problem.tsx';
import styles from '../../shop.module.css';
import { useContentUuid } from '../../use-content-uuid.ts';
import { useProducts } from '../../use-catalogue.ts';
import keyStyles from '../keys.module.css';
import { useMakeKeys, usePlaces } from '../use-keys.ts';

/** Stands for no place, which a select cannot have as value. */
const noPlace = 0;

type Fields = { product: number; place: number; count: number; expires: string };
type Made = Reply<'POST /api/manage/product-keys/'>;

/** For staff: a batch of keys, which are then shown. */
export function MakeDialog({ place, onClose }: { place: number | undefined; onClose: () => void }) {
  const [made, setMade] = useState<Made>();
  return made ? (
    <MadeKeys made={made} onClose={onClose} />
  ) : (
    <MakeForm place={place} onMade={setMade} onClose={onClose} />
  );
}

type MakeFormProps = { place: number | undefined; onMade: (made: Made) => void; onClose: () => void };

function MakeForm({ place, onMade, onClose }: MakeFormProps) {
  const [form] = Form.useForm<Fields>();
  const products = useProducts();
  const places = usePlaces();
  const make = useMakeKeys();
  const uuidOf = useContentUuid();
  const toast = useToast();
  const submit = useSubmit({
    send: (fields: Fields) => {
      const batch = {
        product_id: fields.product,
        count: fields.count,
        ...(fields.place !== noPlace && { place: fields.place }),
        ...expiryOf(fields.expires),
      };
      return make.mutateAsync({ ...batch, uuid_from_client: uuidOf(batch) });
    },
    onSuccess: onMade,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={makeText.title}
      okText={makeText.submit}
      confirmLoading={make.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="make-keys"
        layout="vertical"
        requiredMark={false}
        initialValues={{ place: place ?? noPlace, count: 10, expires: '' }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(make)}
      >
        <Form.Item
          name="product"
          label={makeText.product}
          rules={[{ required: true, message: makeText.productRequired }]}
        >
          <Select
            loading={products.isPending}
            options={(products.data ?? []).map(({ id, name, days }) => ({
              value: id,
              label: `${name} ${daysText(days)}`,
            }))}
          />
        </Form.Item>
        <Form.Item name="place" label={makeText.place}>
          <Select
            loading={places.isPending}
            options={[
              { value: noPlace, label: makeText.noPlace },
              ...(places.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Form.Item>
        <Form.Item
          name="count"
          label={makeText.count}
          rules={[{ required: true, message: makeText.countRequired(MAX_KEYS_PER_BATCH) }]}
        >
          <InputNumber min={1} max={MAX_KEYS_PER_BATCH} precision={0} controls={false} />
        </Form.Item>
        <Form.Item
          name="expires"
          label={makeText.expires}
          extra={makeText.expiresHint}
          validateTrigger="onBlur"
          rules={[dateRule('datetime')]}
        >
          <DateField kind="datetime" />
        </Form.Item>
        <SubmitOnEnter />
      </Form>
      <Problem error={make.error} />
    </Dialog>
  );
}

function expiryOf(text: string): { expires_at?: string } {
  const read = readDate('datetime', text);
  return read.type === 'read' ? { expires_at: read.date.toISOString() } : {};
}

function MadeKeys({ made: { batch, keys }, onClose }: { made: Made; onClose: () => void }) {
  return (
    <Dialog
      title={makeText.made(keys.length)}
      footer={
        <Button type="primary" onClick={onClose}>
          {makeText.done}
        </Button>
      }
      onClose={onClose}
    >
      <div className={styles.head}>
        <span>{makeText.batch(batch)}</span>
        <CopyButton text={keys.join('\n')} label={makeText.all}>
          {makeText.copyAll}
        </CopyButton>
      </div>
      <p className={styles.quiet}>{makeText.madeHint}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by keyboard */}
      <ul className={keyStyles.keyList} tabIndex={0}>
        {keys.map((key) => (
          <li key={key}>
            <Mono>{key}</Mono>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
