import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/**
 * The TLS parameters for visitors. For 1.2 only suites with forward secrecy and authenticated encryption (RFC 9325); all
 * suites of 1.3 have both. The visitor's order counts, because a phone knows which cipher its processor is fast at.
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
  // A visitor of TLS 1.2 could renegotiate without end on one connection, which no limit of connections counts. No
  // browser does so, and TLS 1.3 has no renegotiation.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  // Node's default depends on the command line, which differs between processes that resume each other's sessions.
  sessionIdContext: 'tongtu',
  sessionTimeout: 6 * 3600,
  // Visitors send no certificates, so no root certificates are loaded.
  ca: [],
} satisfies SecureContextOptions & { ca: string[] };
