import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { checkoutText } from '../../text/shop/plans.ts';
import { PaymentTermsDialog } from './payment-terms.tsx';
import styles from './shop.module.css';

type AcceptTermsProps = { isAccepted: boolean; isMissing: boolean; onChange: (isAccepted: boolean) => void };

/** The check box of a first purchase, with the terms to read. */
export function AcceptTerms({ isAccepted, isMissing, onChange }: AcceptTermsProps) {
  const [isReading, setIsReading] = useState(false);
  return (
    <div>
      <div className={styles.accept}>
        <Checkbox checked={isAccepted} onChange={(event) => onChange(event.target.checked)}>
          {checkoutText.accept}
        </Checkbox>
        <Button type="link" size="small" onClick={() => setIsReading(true)}>
          {checkoutText.terms}
        </Button>
      </div>
      {isMissing && (
        <p role="alert" className={styles.missing}>
          {checkoutText.mustAccept}
        </p>
      )}
      {isReading && <PaymentTermsDialog onClose={() => setIsReading(false)} />}
    </div>
  );
}
