import { Button } from 'antd';
import type { OwnKey } from '@tongtu/contract';
import { useState } from 'react';
import { momentText } from '../../../../text/moment-text.ts';
import { keyStatusWords, keysText, ownKeysText } from '../../../../text/shop/keys.ts';
import { daysText } from '../../../../text/shop/money.ts';
import { CopyButton } from '../../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../../ui/mono.tsx';
import { Pages } from '../../../../ui/page/pages.tsx';
import { StateTag } from '../../../../ui/state-tag.tsx';
import { Loaded } from '../../loaded.tsx';
import styles from '../../shop.module.css';
import { keyTones } from '../key-tones.ts';
import { pageSize, useOwnKeys } from '../use-keys.ts';

/** The keys that the user has redeemed, got or bought. */
export function OwnKeys({ onUse }: { onUse: (key: string) => void }) {
  const [page, setPage] = useState(1);
  const keys = useOwnKeys(page);
  return (
    <section className={styles.panel} aria-label={ownKeysText.title}>
      <h2 className={styles.panelTitle}>{ownKeysText.title}</h2>
      <Loaded query={keys} failed={ownKeysText.failed}>
        {({ count, results }) => (
          <>
            {count === 0 && <p className={styles.quiet}>{ownKeysText.empty}</p>}
            <ul className={styles.list}>
              {results.map((key) => (
                <KeyRow key={key.id} ownKey={key} onUse={onUse} />
              ))}
            </ul>
            <Pages label={keysText.pages} page={page} pageSize={pageSize} count={count} onChange={setPage} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function KeyRow({ ownKey, onUse }: { ownKey: OwnKey; onUse: (key: string) => void }) {
  const { text, hint, product, status } = ownKey;
  return (
    <li className={styles.row} aria-label={ownKeysText.ending(hint)}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{product.name}</strong>
          <StateTag tone={keyTones[status]}>{keyStatusWords[status]}</StateTag>
        </div>
        <div className={styles.facts}>
          <span>{ownKeysText.days(daysText(product.days))}</span>
          {text === null && <span>{ownKeysText.ending(hint)}</span>}
          {ownKey.redeemed_at !== null && <span>{ownKeysText.redeemedAt(momentText(ownKey.redeemed_at))}</span>}
          {ownKey.redeemed_at === null && ownKey.expires_at !== null && (
            <span>{ownKeysText.expiresAt(momentText(ownKey.expires_at))}</span>
          )}
        </div>
        {text !== null && (
          <div className={styles.head}>
            <Mono>{text}</Mono>
            <CopyButton text={text} label={keysText.key} />
          </div>
        )}
      </div>
      {text !== null && (
        <Button aria-label={ownKeysText.useLabel(hint)} onClick={() => onUse(text)}>
          {ownKeysText.use}
        </Button>
      )}
    </li>
  );
}
