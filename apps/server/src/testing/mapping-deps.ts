/** Dependencies of the mapping calls, except the database. */
export const mappingDeps = {
  publicUrl: 'http://localhost:8080',
  tlsPort: 8443,
  ownPrefixes: new Set(['panel']),
  ownDomains: ['panel.localhost', 'console.example.net'],
  publicPorts: { from: 20_000, to: 20_002 },
  domainProofKey: Buffer.alloc(32, 3),
  hashPassword: async (_userId: number, password: string): Promise<string> => `hash of ${password}`,
  endPasswordProofs: async (): Promise<void> => {},
  resolveTxt: async (): Promise<string[]> => [],
  checkDomain: async (): Promise<void> => {},
  whenSentToRelays: async (): Promise<void> => {},
};
