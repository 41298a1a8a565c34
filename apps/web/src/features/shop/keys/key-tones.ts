import type { ProductKeyStatus } from '@tongtu/contract';
import type { StateTone } from '../../../ui/state-tag.tsx';

export const keyTones: Record<ProductKeyStatus, StateTone> = {
  unused: 'good',
  issued: 'caution',
  redeemed: 'muted',
  void: 'bad',
  expired: 'muted',
};
