import { z } from 'zod';

const Names = z.array(z.string()).describe('of SSH, in the order of preference');

/** Why an SSH handshake ended: what the target supports, and what the gateway accepts of it. */
export const AlgorithmMismatch = z.object({
  part: z.enum(['kex', 'host_key', 'cipher', 'mac']),
  theirs: Names,
  ours: Names,
});
export type AlgorithmMismatch = z.infer<typeof AlgorithmMismatch>;
