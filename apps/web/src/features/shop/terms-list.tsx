import type { Product } from '@tongtu/contract';
import { cloudAppKinds } from '@tongtu/contract/app-kinds';
import { appKindWords } from '../../text/cloud-apps/cloud-apps.ts';
import { rateText } from '../../text/shop/money.ts';
import { termsText } from '../../text/shop/plans.ts';
import styles from './shop.module.css';

type Terms = Pick<Product, 'bandwidth_bps' | 'mapping_limit' | 'app_kinds'>;

function appsText({ app_kinds: kinds }: Terms): string {
  if (kinds.length === 0) return termsText.noApps;
  if (cloudAppKinds.every((kind) => kinds.includes(kind))) return termsText.allApps;
  return termsText.apps(kinds.map((kind) => appKindWords[kind]).join('、'));
}

/** What a product allows, in words. */
export function TermsList({ terms }: { terms: Terms }) {
  return (
    <ul className={styles.terms}>
      <li>{termsText.bandwidth(rateText(terms.bandwidth_bps))}</li>
      <li>{termsText.mappings(terms.mapping_limit)}</li>
      <li>{appsText(terms)}</li>
    </ul>
  );
}
