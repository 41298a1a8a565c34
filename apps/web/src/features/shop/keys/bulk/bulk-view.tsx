import { InputNumber, Button, Radio, Select, Tag } from 'antd';
import type { BulkProduct, Order } from '@tongtu/contract';
import { MAX_BULK_QUANTITY } from '@tongtu/contract/limits';
import { useId, useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { bulkText } from '../../../../text/shop/keys.ts';
import { daysText, yuanText } from '../../../../text/shop/money.ts';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { Problem } from '../../../confirm/problem.tsx';
import { AcceptTerms } from '../../accept-terms.tsx';
import { Loaded } from '../../loaded.tsx';
import { PayDialog } from '../../pay/pay-dialog.tsx';
import styles from '../../shop.module.css';
import { TermsList } from '../../terms-list.tsx';
import { useBulkProducts } from '../../use-catalogue.ts';
import { useContentUuid } from '../../use-content-uuid.ts';
import { useCreateBulkOrder } from '../../use-orders.ts';
import { usePaymentTerms } from '../../use-payment-terms.ts';
import keyStyles from '../keys.module.css';
import { usePlaces } from '../use-keys.ts';
import { type BulkPrice, bulkPrice, smallestQuantity } from './bulk-price.ts';

/** Stands for no place, which a select cannot have as value. */
const noPlace = 0;

/** Buys many keys at a discount. */
export function BulkView() {
  const products = useBulkProducts();
  const [order, setOrder] = useState<Order>();
  // A paid order starts with an empty form, so that the next one is another order.
  const [round, setRound] = useState(0);
  return (
    <section className={styles.panel} aria-label={bulkText.title}>
      <p className={styles.quiet}>{bulkText.hint}</p>
      <Loaded query={products} failed={bulkText.failed}>
        {(list) =>
          list[0] ? (
            <BulkForm
              key={round}
              products={list}
              first={list[0]}
              onOrdered={(made) => {
                setOrder(made);
                setRound(round + 1);
              }}
            />
          ) : (
            <p className={styles.quiet}>{bulkText.none}</p>
          )
        }
      </Loaded>
      {order && <PayDialog order={order} onClose={() => setOrder(undefined)} />}
    </section>
  );
}

type BulkFormProps = { products: readonly BulkProduct[]; first: BulkProduct; onOrdered: (order: Order) => void };

function BulkForm({ products, first, onOrdered }: BulkFormProps) {
  const id = useId();
  const places = usePlaces();
  const [chosen, setChosen] = useState(first.id);
  const bulk = products.find((each) => each.id === chosen) ?? first;
  const smallest = smallestQuantity(bulk);
  const [quantity, setQuantity] = useState<number | null>(smallest);
  const [place, setPlace] = useState<number>();
  const placeId = place ?? places.data?.[0]?.id ?? noPlace;
  const price = quantity === null ? undefined : bulkPrice(bulk, quantity);
  const create = useCreateBulkOrder();
  const uuidOf = useContentUuid();
  const terms = usePaymentTerms({ amountFen: price?.amountFen ?? 0, error: create.error });
  const toast = useToast();
  const submit = useSubmit({
    send: (body: { bulk_product_id: number; quantity: number; place?: number; amount_fen: number }) =>
      terms.send(() => create.mutateAsync({ ...body, uuid_from_client: uuidOf(body) })),
    onSuccess: onOrdered,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  function buy() {
    if (quantity === null || !price || !terms.check()) return;
    const body = { bulk_product_id: bulk.id, quantity, amount_fen: price.amountFen };
    void submit(placeId === noPlace ? body : { ...body, place: placeId });
  }
  return (
    <div className={styles.form}>
      <Radio.Group
        aria-label={bulkText.product}
        value={bulk.id}
        className={styles.options ?? ''}
        options={products.map(({ id: value, product }) => ({
          value,
          label: `${product.name}（${daysText(product.days)}，${yuanText(product.price_fen)}）`,
        }))}
        onChange={(event) => setChosen(Number(event.target.value))}
      />
      <TermsList terms={bulk.product} />
      <div className={keyStyles.tiers}>
        {bulk.tiers.map(({ from, percent }) => (
          <Tag key={from} color={price?.percent === percent ? 'processing' : 'default'}>
            {bulkText.tier(from, percent)}
          </Tag>
        ))}
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-quantity`}>{bulkText.quantity}</label>
        <InputNumber<number>
          id={`${id}-quantity`}
          value={quantity}
          min={1}
          max={MAX_BULK_QUANTITY}
          precision={0}
          controls={false}
          onChange={(next) => setQuantity(next)}
        />
        {price === undefined && (
          <p role="alert" className={styles.missing}>
            {bulkText.tooFew(smallest)}
          </p>
        )}
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-place`}>{bulkText.place}</label>
        <Select<number>
          id={`${id}-place`}
          value={placeId}
          loading={places.isPending}
          className={keyStyles.keyInput ?? ''}
          options={[
            { value: noPlace, label: bulkText.noPlace },
            ...(places.data ?? []).map((each) => ({ value: each.id, label: each.name })),
          ]}
          onChange={setPlace}
        />
      </div>
      {price && quantity !== null && <Price price={price} quantity={quantity} />}
      {terms.isNeeded && (
        <AcceptTerms isAccepted={terms.isAccepted} isMissing={terms.isMissing} onChange={terms.change} />
      )}
      <Problem error={create.error ?? terms.error} />
      <Button
        type="primary"
        disabled={price === undefined}
        loading={create.isPending}
        className={keyStyles.submit ?? ''}
        onClick={buy}
      >
        {price ? bulkText.submit(yuanText(price.amountFen)) : bulkText.submitUnpriced}
      </Button>
    </div>
  );
}

function Price({ price: { originalFen, amountFen }, quantity }: { price: BulkPrice; quantity: number }) {
  return (
    <div aria-live="polite">
      {amountFen < originalFen && (
        <div className={styles.facts}>
          <span>
            {bulkText.original} {yuanText(originalFen)}
          </span>
          <span>
            {bulkText.saved} {yuanText(originalFen - amountFen)}
          </span>
          <span>{bulkText.each(yuanText(Math.floor(amountFen / quantity)))}</span>
        </div>
      )}
      <div className={styles.total}>
        <span>{bulkText.amount}</span>
        <strong>{yuanText(amountFen)}</strong>
      </div>
    </div>
  );
}
