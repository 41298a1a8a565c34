import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/**
 * What visitors' TLS is made of. For 1.2 only what has forward secrecy and authenticated encryption (as RFC 9325 asks);
 * the suites of 1.3 are all good. All of them are, so the visitor's order counts: a phone knows what its processor is fast at.
 */
export const tlsParameters = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  honorCipherOrder: false,
  // A visitor of TLS 1.2 could ask for handshake after handshake on one connection, past every limit of new ones. No
  // browser does, and 1.3 has done away with it.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  // Node's default is made from the command line, which differs between the processes that shall continue each other's sessions.
  sessionIdContext: 'tongtu',
  sessionTimeout: 6 * 3600,
  // Visitors show no certificates, so there is no need to load the roots that would vouch for them.
  ca: [],
} satisfies SecureContextOptions & { ca: string[] };
