/** How visitors are led to https and kept there. */
export type WebRules = {
  /** Plain http is answered with a way to https. */
  redirectsToHttps: boolean;
  /** How long browsers are to use nothing but https; 0 tells them nothing. */
  hstsSeconds: number;
  /** `relay`: the console and the relay's own pages below `ownDomains`; `all`: every answer. */
  hstsScope: 'relay' | 'all';
  ownDomains: readonly string[];
  /** Where browsers reach the TLS port; undefined: where it listens. */
  publicTlsPort: number | undefined;
};

export const defaultWebRules: WebRules = {
  redirectsToHttps: false,
  hstsSeconds: 0,
  hstsScope: 'relay',
  ownDomains: [],
  publicTlsPort: undefined,
};
