import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ManagedProduct } from '@tongtu/contract';
import { useState } from 'react';
import { managedProductsText } from '../../../text/management/products.ts';
import { priceTexts, rateText } from '../../../text/shop/money.ts';
import { termsText } from '../../../text/shop/plans.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { ManageFrame } from '../frame/manage-frame.tsx';
import { ManagedList } from '../frame/managed-list.tsx';
import { useListState } from '../frame/use-list-state.ts';
import styles from '../frame/frame.module.css';
import { BulkProducts } from './bulk-products.tsx';
import { ListingButton } from './listing-button.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { useListProduct, useManagedProducts } from './use-managed-products.ts';

type Opened = { product: ManagedProduct | undefined };

/** For staff: what is sold. */
export function ManagedProductsPage() {
  const [opened, setOpened] = useState<Opened>();
  return (
    <ManageFrame
      title={managedProductsText.title}
      isOfShop
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setOpened({ product: undefined })}>
          {managedProductsText.create}
        </Button>
      }
    >
      <p className={styles.hint}>{managedProductsText.hint}</p>
      <Products onOpen={(product) => setOpened({ product })} />
      <BulkProducts />
      {opened && <ProductDialog product={opened.product} onClose={() => setOpened(undefined)} />}
    </ManageFrame>
  );
}

function Products({ onOpen }: { onOpen: (product: ManagedProduct) => void }) {
  const { page, setPage, range } = useListState({});
  return (
    <ManagedList
      title={managedProductsText.title}
      failed={managedProductsText.failed}
      none={managedProductsText.none}
      count={managedProductsText.count}
      query={useManagedProducts(range)}
      page={page}
      onPage={setPage}
    >
      {(product) => <ProductRow key={product.id} product={product} onOpen={onOpen} />}
    </ManagedList>
  );
}

function ProductRow({ product, onOpen }: { product: ManagedProduct; onOpen: (product: ManagedProduct) => void }) {
  const { id, name, listed } = product;
  const list = useListProduct(id);
  return (
    <li className={styles.row} aria-label={name}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{name}</strong>
          <span>{priceTexts(product).whole}</span>
          <StateTag tone={listed ? 'good' : 'muted'}>
            {listed ? managedProductsText.listed : managedProductsText.unlisted}
          </StateTag>
        </div>
        <div className={styles.facts}>
          <span>{termsText.bandwidth(rateText(product.bandwidth_bps))}</span>
          <span>{termsText.mappings(product.mapping_limit)}</span>
          <span>{managedProductsText.sold(product.sold_count)}</span>
          <span>{managedProductsText.position(product.position)}</span>
        </div>
        {product.description !== '' && <div className={styles.facts}>{product.description}</div>}
      </div>
      <div className={styles.actions}>
        <Button aria-label={managedProductsText.editLabel(name)} onClick={() => onOpen(product)}>
          {managedProductsText.edit}
        </Button>
        <ListingButton name={name} listed={listed} list={list} />
      </div>
    </li>
  );
}
