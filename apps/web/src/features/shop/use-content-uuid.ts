import { useState } from 'react';
import { newUuid } from './new-uuid.ts';

/**
 * The `uuid_from_client` of what a form sends, an order or a batch of keys: the same one while the content is the same, so
 * that a repeated submission does not make a second one, and another as soon as anything of it changes.
 */
export function useContentUuid(): (content: object) => string {
  const [uuids] = useState(() => new Map<string, string>());
  return (sent) => {
    const content = JSON.stringify(sent);
    const uuid = uuids.get(content) ?? newUuid();
    uuids.set(content, uuid);
    return uuid;
  };
}
