import { useState } from 'react';
import type { Order } from '@tongtu/contract';
import { useSearchParams } from 'react-router';
import { PayDialog } from '../../pay/pay-dialog.tsx';
import { findKeys } from '../find-keys.ts';
import { OwnKeys } from './own-keys.tsx';
import { RedeemForm } from './redeem-form.tsx';

/** `?key=` is what the QR code of a key opens. Nothing is redeemed before the user says so. */
export function RedeemView() {
  const [query] = useSearchParams();
  const [key, setKey] = useState(() => findKeys(query.get('key') ?? '')[0] ?? '');
  const [redeemed, setRedeemed] = useState<Order>();
  return (
    <>
      <RedeemForm
        typed={key}
        onType={setKey}
        onRedeemed={(order) => {
          setRedeemed(order);
          setKey('');
        }}
      />
      <OwnKeys onUse={setKey} />
      {redeemed && <PayDialog order={redeemed} onClose={() => setRedeemed(undefined)} />}
    </>
  );
}
