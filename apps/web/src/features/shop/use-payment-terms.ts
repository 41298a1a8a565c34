import type { Order } from '@tongtu/contract';
import { useState } from 'react';
import { errorCode, useProfile } from '../../api/index.ts';
import { useAcceptTerms } from './use-orders.ts';

/**
 * The terms of payment before an order: `send` accepts them first where they are new to the buyer. A free order needs
 * none.
 */
export function usePaymentTerms({ amountFen, error }: { amountFen: number; error: unknown }) {
  const profile = useProfile();
  const accept = useAcceptTerms();
  const [isAccepted, setIsAccepted] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const isNew = profile?.accepted_terms_of_payment === false || errorCode(error) === 'payment.terms-required';
  const isNeeded = amountFen > 0 && isNew;

  async function send(order: () => Promise<Order>): Promise<Order> {
    if (isNeeded && profile) await accept.mutateAsync(profile.id);
    return await order();
  }
  /** False marks the check box, which has to be ticked first. */
  function check(): boolean {
    setIsMissing(isNeeded && !isAccepted);
    return !isNeeded || isAccepted;
  }
  function change(next: boolean) {
    setIsAccepted(next);
    setIsMissing(false);
  }
  return { isNeeded, isAccepted, isMissing, change, check, send, error: accept.error };
}
