import { appKinds, type CloudAppKind, cloudAppKinds, CloudAppCreate } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { toCreate } from './app-body.ts';
import { type AppFields, emptyFields } from './app-fields.ts';

/** Everything filled in, as if the user had tried one kind after the other. */
function everythingOf(kind: CloudAppKind): AppFields {
  const set = (text: string) => ({ type: 'set', text }) as const;
  return {
    ...emptyFields(kind),
    ...{ name: 'x', host: 'nas', username: 'u', domain: 'd', path: '/p', encoding: 'gbk', tls: true },
    mac: 'D8-BB-C1-0A-2F-E4',
    ...{ password: set('pw'), privateKey: set('key'), passphrase: set('phrase') },
  };
}

test.each(cloudAppKinds)('an app of kind %s has the options and secrets of its kind, and no others', (kind) => {
  const { options, secrets } = toCreate(7, everythingOf(kind));
  const fields = appKinds[kind].fields as readonly string[];
  const has = [...Object.keys(options ?? {}), ...Object.keys(secrets ?? {})].filter((name) => name !== 'passphrase');
  expect(has.toSorted()).toEqual([...fields, 'mac'].toSorted());
  expect('passphrase' in (secrets ?? {})).toBe(fields.includes('private_key'));
  expect(CloudAppCreate.parse(toCreate(7, everythingOf(kind))).kind).toBe(kind);
});

test('WebDAV over HTTPS has another usual port', () => {
  expect(toCreate(7, { ...emptyFields('webdav'), tls: true }).port).toBe(443);
  expect(toCreate(7, emptyFields('webdav')).port).toBe(80);
});
