import type { Product } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { priceTexts } from '../../../text/shop/money.ts';
import styles from '../shop.module.css';
import { TermsList } from '../terms-list.tsx';

export function ProductCard({ product, children }: { product: Product; children: ReactNode }) {
  const price = priceTexts(product);
  return (
    <li className={`${styles.panel} ${styles.product}`} aria-label={product.name}>
      <h3>{product.name}</h3>
      <div>
        <div className={styles.price}>{price.whole}</div>
        <div className={styles.quiet}>{price.parts}</div>
      </div>
      {product.description !== '' && <p className={styles.quiet}>{product.description}</p>}
      <TermsList terms={product} />
      {children}
    </li>
  );
}
