import { useState } from 'react';
import { newUuid } from './new-uuid.ts';

/**
 * The `uuid_from_client` of an order: the same one while the order is the same, so that a repeated submission does not
 * make a second order, and another one as soon as anything of it changes.
 */
export function useOrderUuid(): (order: object) => string {
  const [uuids] = useState(() => new Map<string, string>());
  return (order) => {
    const content = JSON.stringify(order);
    const uuid = uuids.get(content) ?? newUuid();
    uuids.set(content, uuid);
    return uuid;
  };
}
