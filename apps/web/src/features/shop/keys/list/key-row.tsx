import { QrcodeOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import type { PlaceKey } from '@tongtu/contract';
import { momentText } from '../../../../text/moment-text.ts';
import { keyStatusWords, keysText, ownKeysText } from '../../../../text/shop/keys.ts';
import { daysText, yuanText } from '../../../../text/shop/money.ts';
import { CopyButton } from '../../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../../ui/mono.tsx';
import { StateTag } from '../../../../ui/state-tag.tsx';
import styles from '../../shop.module.css';
import keyStyles from '../keys.module.css';
import { keyTones } from '../key-tones.ts';

type KeyRowProps = {
  placeKey: PlaceKey;
  isChosen: boolean;
  onChoose: (text: string, isChosen: boolean) => void;
  onQr: (text: string) => void;
  onBatch: (batch: number) => void;
};

export function KeyRow({ placeKey, isChosen, onChoose, onQr, onBatch }: KeyRowProps) {
  const { text, hint, product, place, batch, status } = placeKey;
  return (
    <li className={styles.row} aria-label={ownKeysText.ending(hint)}>
      <div className={keyStyles.chosen}>
        <Checkbox
          aria-label={keysText.choose(hint)}
          checked={isChosen}
          disabled={text === null}
          onChange={(event) => text !== null && onChoose(text, event.target.checked)}
        />
        <div className={styles.about}>
          <div className={styles.head}>
            <Mono>{text ?? ownKeysText.ending(hint)}</Mono>
            <StateTag tone={keyTones[status]}>{keyStatusWords[status]}</StateTag>
          </div>
          <div className={styles.facts}>
            <span>
              {product.name} {daysText(product.days)}
            </span>
            <span>{keysText.price(yuanText(placeKey.price_fen))}</span>
            <span>{place?.name ?? keysText.noPlace}</span>
            <Button type="link" size="small" className={keyStyles.batchTag ?? ''} onClick={() => onBatch(batch)}>
              {keysText.batchOf(batch)}
            </Button>
            {placeKey.redeemed_at !== null && <span>{ownKeysText.redeemedAt(momentText(placeKey.redeemed_at))}</span>}
            {placeKey.redeemed_at === null && placeKey.expires_at !== null && (
              <span>{ownKeysText.expiresAt(momentText(placeKey.expires_at))}</span>
            )}
          </div>
          {placeKey.note !== '' && <div className={styles.facts}>{placeKey.note}</div>}
        </div>
      </div>
      {text !== null && (
        <div className={styles.actions}>
          <CopyButton text={text} label={keysText.key} />
          <Button
            type="text"
            size="small"
            icon={<QrcodeOutlined />}
            aria-label={keysText.qrLabel(hint)}
            title={keysText.qr}
            onClick={() => onQr(text)}
          />
        </div>
      )}
    </li>
  );
}
