import { MappingCreate, MappingPatch } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { mappingOf } from '../../../testing/device-fixtures.ts';
import { toCreate, toPatch } from './mapping-body.ts';
import { initialFields, type MappingFields } from './mapping-fields.ts';

const blank = initialFields(undefined);
const web: MappingFields = { ...blank, host: '192.168.1.10', port: '5000', prefix: 'nas' };

/** The request body, after the contract has parsed it. */
function create(fields: Partial<MappingFields>) {
  return MappingCreate.parse(toCreate(7, { ...web, ...fields }));
}

test('every kind of mapping is sent as the contract takes it', () => {
  expect(create({})).toMatchObject({ kind: 'http', prefix: 'nas', target: 'http://192.168.1.10:5000', port: null });
  expect(create({ port: '' })).toMatchObject({ target: 'http://192.168.1.10:80' });
  expect(create({ addressBy: 'domain', customDomain: ' NAS.example.com ' })).toMatchObject({
    prefix: null,
    custom_domain: 'nas.example.com',
  });
  expect(create({ group: 'port', kind: 'tcp', port: '22', publicPort: '20022' })).toMatchObject({
    kind: 'tcp',
    prefix: null,
    target: 'tcp://192.168.1.10:22',
    port: 20_022,
  });
  expect(create({ group: 'port', kind: 'udp', port: '53' })).toMatchObject({ kind: 'udp', port: null });
});

test('what was chosen for another kind is not sent', () => {
  const chosen = {
    customDomain: 'nas.example.com',
    publicPort: '20022',
    hostHeader: 'rewrite',
    verifyTls: true,
    tlsPassthrough: true,
    proxyProtocol: true,
  } as const;
  const atRest = { host_header: 'keep', verify_tls: false, tls_passthrough: false, proxy_protocol: false };
  expect(create(chosen)).toMatchObject({ ...atRest, host_header: 'rewrite', custom_domain: null, port: null });
  expect(create({ ...chosen, kind: 'https' })).toMatchObject({ ...atRest, host_header: 'rewrite', verify_tls: true });
  expect(create({ ...chosen, kind: 'https', addressBy: 'domain' })).toMatchObject({
    ...atRest,
    tls_passthrough: true,
    proxy_protocol: true,
  });
  expect(create({ ...chosen, group: 'port', kind: 'tcp' })).toMatchObject({ ...atRest, proxy_protocol: true });
  expect(create({ ...chosen, group: 'port', kind: 'udp' })).toMatchObject(atRest);
});

test('times are sent as Beijing has them, midnight as the end of the day', () => {
  const times = { opensOn: '2026-12-01', closesOn: '2026-12-31', hasHours: true, days: [7, 1] };
  expect(create({ ...times, from: '00:00', to: '00:00' })).toMatchObject({
    opens_at: '2026-11-30T16:00:00.000Z',
    closes_at: '2026-12-31T16:00:00.000Z',
    hours: { days: [1, 7], from: '00:00', to: '24:00' },
  });
  expect(create({ ...times, hasHours: false })).toMatchObject({ hours: null });
});

test('a change sends what was changed and nothing else', () => {
  const mapping = mappingOf({
    kind: 'https',
    target: 'https://192.168.1.10',
    verify_tls: true,
    // Another client may set a time other than midnight. The form only shows days, but must not change it to midnight.
    opens_at: '2026-11-20T03:30:00.000Z',
    hours: { days: [1, 2], from: '08:00', to: '24:00' },
  });
  const initial = initialFields(mapping);
  const patch = (fields: Partial<MappingFields>) => MappingPatch.parse(toPatch({ ...initial, ...fields }, initial));
  expect(patch({})).toEqual({});
  expect(patch({ remark: '客厅' })).toEqual({ remark: '客厅' });
  expect(patch({ kind: 'http' })).toEqual({ kind: 'http', target: 'http://192.168.1.10:443', verify_tls: false });
  expect(patch({ addressBy: 'domain', customDomain: 'nas.example.com' })).toEqual({ custom_domain: 'nas.example.com' });
  expect(patch({ opensOn: '', hasHours: false })).toEqual({ opens_at: null, hours: null });
  expect(patch({ to: '22:00' })).toEqual({ hours: { days: [1, 2], from: '08:00', to: '22:00' } });
});
