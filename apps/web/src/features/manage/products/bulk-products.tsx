import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { managedBulkText, managedProductsText } from '../../../text/management/products.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { ManagedList } from '../frame/managed-list.tsx';
import { useListState } from '../frame/use-list-state.ts';
import styles from '../frame/frame.module.css';
import { BulkDialog } from './bulk-dialog.tsx';
import { ListingButton } from './listing-button.tsx';
import { type ManagedBulk, useListBulkProduct, useManagedBulkProducts } from './use-managed-products.ts';

type Opened = { bulk: ManagedBulk | undefined };

/** The discounts by quantity. */
export function BulkProducts() {
  const [opened, setOpened] = useState<Opened>();
  const { page, setPage, range } = useListState({});
  return (
    <>
      <ManagedList
        title={managedBulkText.title}
        failed={managedBulkText.failed}
        none={managedBulkText.none}
        count={managedBulkText.count}
        query={useManagedBulkProducts(range)}
        page={page}
        onPage={setPage}
        filters={
          <div>
            <h2 className={styles.subtitle}>{managedBulkText.title}</h2>
            <p className={styles.hint}>{managedBulkText.hint}</p>
            <Button icon={<PlusOutlined aria-hidden />} onClick={() => setOpened({ bulk: undefined })}>
              {managedBulkText.create}
            </Button>
          </div>
        }
      >
        {(bulk) => <BulkRow key={bulk.id} bulk={bulk} onOpen={() => setOpened({ bulk })} />}
      </ManagedList>
      {opened && <BulkDialog bulk={opened.bulk} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function BulkRow({ bulk, onOpen }: { bulk: ManagedBulk; onOpen: () => void }) {
  const { id, product, tiers, listed } = bulk;
  const list = useListBulkProduct(id);
  const label = managedBulkText.editLabel(product.name);
  return (
    <li className={styles.row} aria-label={`${managedBulkText.title} ${product.name}`}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{product.name}</strong>
          <StateTag tone={listed ? 'good' : 'muted'}>
            {listed ? managedProductsText.listed : managedProductsText.unlisted}
          </StateTag>
        </div>
        <div className={styles.facts}>
          {tiers.map((tier) => (
            <span key={tier.from}>{managedBulkText.tier(tier.from, tier.percent)}</span>
          ))}
        </div>
      </div>
      <div className={styles.actions}>
        <Button aria-label={label} onClick={onOpen}>
          {managedProductsText.edit}
        </Button>
        <ListingButton name={`${product.name} ${managedBulkText.title}`} listed={listed} list={list} />
      </div>
    </li>
  );
}
