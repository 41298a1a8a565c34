import { paymentTermsText } from '../../text/shop/payment-terms.ts';
import { Button } from 'antd';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import styles from './shop.module.css';

export function PaymentTermsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={`${paymentTermsText.title}（${paymentTermsText.version}）`}
      footer={
        <Button type="primary" onClick={onClose}>
          {paymentTermsText.close}
        </Button>
      }
      onClose={onClose}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard */}
      <div className={styles.legal} tabIndex={0}>
        {paymentTermsText.paragraphs.map(({ title, text }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
