import type { CloudAppOptions } from '@tongtu/contract';
import type { Algorithms } from 'ssh2';

/**
 * What ssh2 offers, and for old devices group14-sha1 and CBC. Without compression, because a few bytes could unpack to
 * gigabytes, and without group exchange and the largest groups, because their numbers keep the processor busy.
 */
const algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group14-sha1',
  ],
  cipher: { append: ['aes256-cbc', 'aes128-cbc'], prepend: [], remove: [] },
  compress: ['none'],
} satisfies Algorithms;

/**
 * For devices of before 2014, where the owner of the app allows it: at the end of each list, so that a target that has
 * better ones uses those. OpenSSL 3 has no Blowfish, CAST and RC4 any more.
 */
const oldAlgorithms = {
  kex: [
    ...algorithms.kex,
    'diffie-hellman-group-exchange-sha256',
    'diffie-hellman-group-exchange-sha1',
    'diffie-hellman-group1-sha1',
  ],
  cipher: { append: [...algorithms.cipher.append, 'aes192-cbc', '3des-cbc'], prepend: [], remove: [] },
  hmac: { append: ['hmac-md5', 'hmac-sha1-96', 'hmac-md5-96'], prepend: [], remove: [] },
  serverHostKey: { append: ['ssh-dss'], prepend: [], remove: [] },
  compress: ['none'],
} satisfies Algorithms;

export function algorithmsOf({ old_algorithms: allowsOld }: CloudAppOptions): Algorithms {
  return allowsOld ? oldAlgorithms : algorithms;
}
