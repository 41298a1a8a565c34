import { createLanLink, noNamespaces } from '@tongtu/agent/testing/lan-link';

/** The numbers of the LANs that tests in browsers use. */
export const E2E_LANS = { wake: 32, discovery: 34 };

/**
 * Vitest's global set-up: the LANs, for as long as the tests run. A new interface of this machine would make every open
 * browser give up its requests (ERR_NETWORK_CHANGED), so none appears or disappears while there are browsers.
 */
export function setup(): (() => void) | undefined {
  if (noNamespaces !== '') return undefined;
  const links = Object.values(E2E_LANS).map(createLanLink);
  return () => links.forEach((link) => link[Symbol.dispose]());
}
