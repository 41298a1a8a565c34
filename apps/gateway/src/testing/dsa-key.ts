import type { ParsedKey } from 'ssh2';
import { ssh2 } from '../ssh/ssh2.ts';

/** A host key as old devices have. Fixed, because neither Node.js nor new versions of OpenSSH write one in this form. */
export function dsaKey(): ParsedKey {
  const key = ssh2.utils.parseKey(DSA_KEY);
  if (key instanceof Error) throw key;
  return key;
}

const DSA_KEY = `-----BEGIN DSA PRIVATE KEY-----
MIIBvQIBAAKBgQD6N2XxxQFNykJ8F5AFx51gN24Pe2WKmz3k8fbi2qR7mnNByjcT
sdL8+4jpylUJZzirlD6wsD5qLEXC1f/8c/8g641yeXZFfb3qHSJrJpGNtGzPJgpU
kvJSs/iD+x1cuJyb2yz6qNX5ncLzjhlHXtr6MvXYjxMDolyQXv8qCxN8BwIVALI7
EtebsTopS+uyQxMLE/iFpq3bAoGBAN7qiy10SJodUyS+RT0WZMhkWMdzaI0uT70D
ZuUm00SlyXZbf171W486drBczV0cDRmwxRvKsfwHjDItWts5ghXxo99h1ippN4gl
YbPDpvWBoYAjbh3NEQTzhIeVxO/b7MqD8ZxCOIIbpkzETfuhEuoQdt3AYaqb64wa
I/1ZYSOeAoGBAMv9WGcgE6NPTFvMCN9qcSkQUhpmj8Ka42qoTCFkWVuBmkKfDVN8
5LAvOwujbcg1D4VLQ3tqR5SMJcftnp8+OJMBKGm52tq/uNoDUpGM36aaxQZsSZuf
CIVsTRrgB9fFCvDf1g6bHOXztCx2BpveONlhotDxaSijbxTlkN50/yr/AhUAmc9Q
1+JlRnC9gbVUJhQk0MHhYNI=
-----END DSA PRIVATE KEY-----
`;
