import { z } from 'zod';

/** Of a host key (50 characters, as OpenSSH writes it) or of a certificate (102, as browsers write it). */
export const Fingerprint = z.string().max(200);
