import type { Route } from '@tongtu/contract';

/** What is known of a request when its access is decided. */
export type RequestFacts = {
  /** Whether one of its cookies proves a verification for this very host and mapping. */
  isVerified: () => boolean;
  isDeviceEnabled: boolean;
};

export type AccessDecision = 'allow' | 'needs-verification' | 'device-disabled' | 'mapping-disabled';

/** The one place where a request is let through or not. Decides from memory; every policy has its line here. */
export function decideAccess(route: Route, facts: RequestFacts): AccessDecision {
  if (!facts.isDeviceEnabled) return 'device-disabled';
  if (!route.enabled) return 'mapping-disabled';
  switch (route.policy) {
    case 'public':
      return 'allow';
    case 'owner':
      return facts.isVerified() ? 'allow' : 'needs-verification';
  }
}
