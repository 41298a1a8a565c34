import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { dialTcp } from '../forward/dial-tcp.ts';

/** Why a service was refused by the rules of today, in the words of `probe_result`. The first that fits counts. */
const weaknesses: readonly (readonly [code: RegExp, weakness: string])[] = [
  [/RENEGOTIATION/, 'legacy_renegotiation'],
  [/PROTOCOL|VERSION/, 'old_protocol'],
  [/KEY_TOO_SMALL|DH_PARAM_SIZE|MD_TOO_WEAK/, 'short_key'],
  [/^ERR_(SSL|TLS)_/, 'old_cipher'],
];

type TlsTarget = { addresses: readonly string[]; port: number; name: string };

/**
 * What makes the TLS of a service weak, to which the agent has just connected: it tries again by the rules of OpenSSL,
 * without a look at the certificate's issuer. Undefined: nothing, or not known.
 */
export async function weaknessOfTls(
  { addresses, port, name }: TlsTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const socket = await dialTcp(addresses, port, signal);
    return await new Promise((resolve) => {
      const secured = connect({ socket, ...(isIP(name) === 0 && { servername: name }), rejectUnauthorized: false });
      const finish = (weakness: string | undefined) => {
        secured.destroy();
        socket.destroy();
        resolve(weakness);
      };
      secured.once('secureConnect', () => finish(undefined));
      secured.on('error', (error) => finish(weaknessOf(error)));
      secured.once('close', () => finish(undefined));
      signal.addEventListener('abort', () => finish(undefined), { once: true });
    });
  } catch {
    return undefined;
  }
}

function weaknessOf(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  return weaknesses.find(([pattern]) => pattern.test(code))?.[1];
}
