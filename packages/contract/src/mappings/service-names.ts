import { z } from 'zod';
import { fieldMessage } from '../messages/field-messages.ts';

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = `${LABEL}(?:\\.${LABEL})*`;
const HOST_NAME = new RegExp(`^(?:|(?:${NAME}|\\[[0-9a-f:.]{2,45}\\])(?::([1-9][0-9]{0,4}))?)$`);
const TLS_NAME = new RegExp(`^(?:|${NAME})$`);
const MAX_NAME_LENGTH = 253;
const MAX_PORT_LENGTH = 6;
const MAX_PORT = 65_535;

/** A Host field (RFC 9110 §7.2) that a LAN service gets; it may be an address. Empty: none. */
export const HostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_NAME_LENGTH + MAX_PORT_LENGTH, fieldMessage('host-name.shape'))
  .refine(isHostName, fieldMessage('host-name.shape'));

/** A DNS name for a TLS handshake (RFC 6066 §3), which is no address. Empty: none. */
export const TlsName = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_NAME_LENGTH, fieldMessage('tls-name.shape'))
  .refine((text) => TLS_NAME.test(text) && !/(?:^|\.)[0-9]+$/.test(text), fieldMessage('tls-name.shape'));

function isHostName(text: string): boolean {
  const match = HOST_NAME.exec(text);
  return match !== null && Number(match[1] ?? 0) <= MAX_PORT;
}
