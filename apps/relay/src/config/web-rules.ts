/** How visitors are redirected to https and kept there (HSTS). */
export type WebRules = {
  /** Plain http is redirected to https. */
  redirectsToHttps: boolean;
  /**
   * The max-age of HSTS; 0 has browsers forget it. `auto`: for the console alone, as long as browsers trust its certificate,
   * but at most half a year.
   */
  hstsSeconds: number | 'auto';
  /** `relay`: the console and the relay's own pages below `ownDomains`; `all`: every answer. */
  hstsScope: 'relay' | 'all';
  ownDomains: readonly string[];
  /** Where browsers reach the TLS port; undefined: where it listens. */
  publicTlsPort: number | undefined;
};

export const defaultWebRules: WebRules = {
  redirectsToHttps: false,
  hstsSeconds: 'auto',
  hstsScope: 'relay',
  ownDomains: [],
  publicTlsPort: undefined,
};
