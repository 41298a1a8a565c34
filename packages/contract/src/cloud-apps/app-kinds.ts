/**
 * What the kinds of cloud apps have in common and where they differ. The server checks apps by this table and the
 * console builds its form from it. This file imports no library, so the browser can load it.
 */
export const appKinds = {
  ssh: { group: 'app', defaultPort: 22, fields: ['username', 'password', 'private_key', 'encoding', 'old_algorithms'] },
  telnet: { group: 'app', defaultPort: 23, fields: ['encoding'] },
  vnc: { group: 'app', defaultPort: 5900, fields: ['username', 'password', 'encoding'] },
  // The browser itself logs in to RDP, and no browser gets a stored password.
  rdp: { group: 'app', defaultPort: 3389, fields: ['username', 'domain'] },
  // The password is aria2's RPC secret, the path that of its JSON-RPC.
  aria2: { group: 'app', defaultPort: 6800, fields: ['password', 'tls', 'path'] },
  sftp: {
    group: 'files',
    defaultPort: 22,
    fields: ['username', 'password', 'private_key', 'path', 'name_encoding', 'old_algorithms'],
  },
  webdav: { group: 'files', defaultPort: 80, fields: ['username', 'password', 'tls', 'path', 'name_encoding'] },
  // Its names are Unicode, whatever the disk of the server has.
  smb: { group: 'files', defaultPort: 445, fields: ['username', 'domain', 'password', 'path'] },
  // Not a protocol: the page wakes the host and shows whether it is on. The port is tried for that, and any answer counts.
  wol: { group: 'app', defaultPort: 445, fields: [] },
} as const satisfies Record<string, AppKindDefinition>;

type AppKindDefinition = {
  /** The tab of the device that lists it: 远程应用 or 文件管理. */
  group: 'app' | 'files';
  defaultPort: number;
  /** Options and secrets that the kind has beside `mac`; the others must be absent. `private_key` includes its passphrase. */
  fields: readonly AppField[];
};

/** The value of each option of an app that does not set it, and of those that its kind does not have. */
export const initialAppOptions = {
  username: '',
  domain: '',
  path: '',
  encoding: 'utf-8',
  name_encoding: 'auto',
  tls: false,
  mac: '',
  old_algorithms: false,
} as const;

export type AppField =
  | 'username'
  | 'domain'
  | 'path'
  | 'encoding'
  | 'name_encoding'
  | 'tls'
  | 'mac'
  | 'password'
  | 'private_key'
  | 'old_algorithms';
export type CloudAppKind = keyof typeof appKinds;
export const cloudAppKinds = Object.keys(appKinds) as CloudAppKind[]; // an object literal has the keys of its type

export function kindsOfGroup(group: 'app' | 'files'): CloudAppKind[] {
  return cloudAppKinds.filter((kind) => appKinds[kind].group === group);
}

export function hasAppField(kind: CloudAppKind, field: AppField): boolean {
  const fields: readonly AppField[] = appKinds[kind].fields;
  return field === 'mac' || fields.includes(field);
}
