import { constants } from 'node:crypto';

/**
 * TLS with LAN services, which have self-signed or expired certificates, old versions and ciphers, short keys, and no
 * secure renegotiation (RFC 5746). The owner chose the address, and encryption still protects against passive
 * listeners on the LAN.
 */
export const lenientTls = {
  rejectUnauthorized: false,
  minVersion: 'TLSv1',
  ciphers: 'DEFAULT:COMPLEMENTOFDEFAULT:@SECLEVEL=0',
  minDHSize: 1,
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
} as const;
