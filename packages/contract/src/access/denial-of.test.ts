import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Route } from '../relay-control.ts';
import { type AccessRules, canRunOut, denialOf } from './denial-of.ts';
import type { ShownProof } from './proof-end.ts';

const wallClockMs = Date.parse('2026-11-16T12:00+08:00');
const visitorIp = '203.0.113.7';

const openRoute: AccessRules['route'] = {
  ...{ enabled: true, policy: 'owner', opensAtMs: null, closesAtMs: null, hours: null },
  ...{ verifiedIps: [], extendedVerifications: [], revokedVerifications: [] },
};

function entryOf(
  route: Partial<AccessRules['route']>,
  device: Partial<AccessRules['owner']['device']> = {},
): AccessRules {
  return { route: { ...openRoute, ...route }, owner: { device: { enabled: true, allowList: [], ...device } } };
}

/** The visitor's result: `let in`, or the denial. */
function outcome(entry: AccessRules, address: string | undefined, proof?: ShownProof) {
  return denialOf(entry, { address, proof }, wallClockMs) ?? 'let in';
}

const proof: ShownProof = { verificationId: 5, expiresAtMs: wallClockMs + 1 };

test('a mapping that is disabled or outside its times lets nobody in, with any proof or address', () => {
  const known = { allowList: [visitorIp] };
  expect(outcome(entryOf({ policy: 'public' }, { enabled: false }), visitorIp, proof)).toBe('device-disabled');
  expect(outcome(entryOf({ policy: 'owner', enabled: false }, known), visitorIp, proof)).toBe('mapping-disabled');
  expect(outcome(entryOf({ policy: 'owner', opensAtMs: wallClockMs + 1 }, known), visitorIp, proof)).toBe(
    'not-open-yet',
  );
  expect(outcome(entryOf({ policy: 'owner', closesAtMs: wallClockMs }, known), visitorIp, proof)).toBe('closed');
  const hours = { days: [2], fromMinute: 0, toMinute: 1440 };
  expect(outcome(entryOf({ policy: 'owner', hours }, known), visitorIp, proof)).toBe('outside-hours');
});

test('of several reasons the visitor sees the one that the console shows', () => {
  const tomorrow = { opensAtMs: wallClockMs + 86_400_000 };
  expect(outcome(entryOf({ policy: 'closed', ...tomorrow }), visitorIp)).toBe('closed-by-owner');
  expect(outcome(entryOf({ enabled: false }, { enabled: false }), visitorIp)).toBe('mapping-disabled');
});

test("an owner's mapping wants a proof that is neither expired nor revoked", () => {
  const entry = entryOf({ policy: 'owner' });
  expect(outcome(entry, visitorIp)).toBe('needs-verification');
  expect(outcome(entry, visitorIp, proof)).toBe('let in');
  expect(outcome(entry, visitorIp, { ...proof, expiresAtMs: wallClockMs })).toBe('needs-verification');
  expect(outcome(entryOf({ policy: 'owner', revokedVerifications: [4, 5] }), visitorIp, proof)).toBe(
    'needs-verification',
  );
});

test.each([
  ['192.0.2.7', ['192.0.2.7'], 'let in'],
  ['192.0.2.8', ['192.0.2.7'], 'needs-verification'],
  ['192.0.2.200', ['198.51.100.1', '192.0.2.128/25'], 'let in'],
  ['192.0.2.127', ['192.0.2.128/25'], 'needs-verification'],
  ['10.255.0.1', ['10.0.0.0/8'], 'let in'],
  ['2001:db8::1', ['2001:0DB8:0:0::/64'], 'let in'],
  ['2001:db8:0:1::1', ['2001:db8::/64'], 'needs-verification'],
  ['192.0.2.7', ['::ffff:192.0.2.7'], 'let in'],
  ['192.0.2.7', ['::ffff:192.0.2.0/120'], 'let in'],
  ['::ffff:192.0.2.7', ['192.0.2.0/24'], 'let in'],
  ['fe80::1%eth0', ['fe80::/10'], 'let in'],
  ['192.0.2.7', ['2001:db8::/32'], 'needs-verification'],
  ['192.0.2.7', ['::/1'], 'needs-verification'],
  ['192.0.2.7', ['::/80'], 'needs-verification'],
  ['192.0.2.7', ['::ffff:0:0/95', '::ffff:0:0/96', '::192.0.2.7/64'], 'needs-verification'],
  ['192.0.2.7', ['0.0.0.0/0', '::/0'], 'needs-verification'],
  ['2001:db8::1', ['::/0', '::/1'], 'needs-verification'],
  ['::5', ['::/97', '::/80'], 'let in'],
  ['192.0.2.7', ['nonsense', '192.0.2.0/33', '192.0.2.0/', '192.0.2.0/24/1', ''], 'needs-verification'],
  ['', ['0.0.0.0/0'], 'needs-verification'],
])('from %s, with %j allowed, a visitor meets: %s', (address, allowList, expected) => {
  expect(outcome(entryOf({ policy: 'owner' }, { allowList }), address)).toBe(expected);
});

test.each([
  ['192.0.2.7', '192.0.2.7', 'let in'],
  ['192.0.2.8', '192.0.2.7', 'needs-verification'],
  ['2001:db8::1', '2001:0DB8:0:0:0::1', 'let in'],
  ['192.0.2.7', '::ffff:192.0.2.7', 'let in'],
  ['::ffff:192.0.2.7', '192.0.2.7', 'let in'],
])('from %s, with %s verified, a visitor meets: %s', (address, ip, expected) => {
  const entry = entryOf({ policy: 'owner', verifiedIps: [{ verificationId: 9, ip, expiresAtMs: wallClockMs + 1 }] });
  expect(outcome(entry, address)).toBe(expected);
});

test('a verified address counts until it expires or is revoked, and as long as any verification of it does', () => {
  const verified = (verificationId: number, expiresAtMs: number) => ({ verificationId, ip: visitorIp, expiresAtMs });
  const at = (verifiedIps: Route['verifiedIps'], revokedVerifications: number[] = []) =>
    outcome(entryOf({ policy: 'owner', verifiedIps, revokedVerifications }), visitorIp);
  expect(at([verified(9, wallClockMs)])).toBe('needs-verification');
  expect(at([verified(9, wallClockMs + 1)], [9])).toBe('needs-verification');
  expect(at([verified(9, wallClockMs + 1), verified(8, wallClockMs - 1)])).toBe('let in');
  expect(at([verified(9, wallClockMs + 1), verified(8, wallClockMs + 1)], [9])).toBe('let in');
});

test('the next snapshot of a device is read anew', () => {
  const before = entryOf({ policy: 'owner' }, { allowList: [visitorIp] });
  expect(outcome(before, visitorIp)).toBe('let in');
  const device = { ...before.owner.device, allowList: ['192.0.2.1'] };
  expect(outcome({ ...before, owner: { device } }, visitorIp)).toBe('needs-verification');
});

test('a grant is judged again by what counts now', () => {
  const grant = { address: visitorIp, proof };
  expect(denialOf(entryOf({ policy: 'owner' }), grant, wallClockMs)).toBeUndefined();
  expect(denialOf(entryOf({ policy: 'owner' }), grant, wallClockMs + 1)).toBe('needs-verification');
  expect(denialOf(entryOf({ policy: 'owner', revokedVerifications: [5] }), grant, wallClockMs)).toBe(
    'needs-verification',
  );
  expect(denialOf(entryOf({ policy: 'public' }), { ...grant, proof: undefined }, wallClockMs)).toBeUndefined();
  expect(denialOf(entryOf({ policy: 'owner' }), { ...grant, proof: undefined }, wallClockMs)).toBe(
    'needs-verification',
  );
});

test('only grants that the clock can end are looked at again and again', () => {
  const isWatched = (route: Partial<Route>) => canRunOut(entryOf(route));
  expect(isWatched({ policy: 'public' })).toBe(false);
  expect(isWatched({ policy: 'owner' })).toBe(true);
  expect(isWatched({ policy: 'public', closesAtMs: wallClockMs })).toBe(true);
  const { route, owner } = entryOf({ policy: 'public' });
  expect(canRunOut({ route, owner: { device: { ...owner.device, planEndsAtMs: wallClockMs } } })).toBe(true);
  expect(isWatched({ policy: 'public', hours: { days: [1], fromMinute: 0, toMinute: 60 } })).toBe(true);
});

test('a proof that was extended counts past its cookie, until its new end, unless it was revoked', () => {
  const expired = { ...proof, expiresAtMs: wallClockMs - 1 };
  const at = (expiresAtMs: number, changes: Partial<Route> = {}) =>
    outcome(
      entryOf({ policy: 'owner', extendedVerifications: [{ verificationId: 5, expiresAtMs }], ...changes }),
      visitorIp,
      expired,
    );
  expect(at(wallClockMs + 1)).toBe('let in');
  expect(at(wallClockMs)).toBe('needs-verification');
  expect(at(wallClockMs + 1, { revokedVerifications: [5] })).toBe('needs-verification');
  expect(at(wallClockMs + 1, { extendedVerifications: [{ verificationId: 6, expiresAtMs: wallClockMs + 1 }] })).toBe(
    'needs-verification',
  );
  // Extending a proof never shortens it.
  const shorter = entryOf({
    policy: 'owner',
    extendedVerifications: [{ verificationId: 5, expiresAtMs: wallClockMs - 9 }],
  });
  expect(outcome(shorter, visitorIp, proof)).toBe('let in');
});

test('a mapping with a password wants a proof like any other, and a closed one lets nobody in', () => {
  expect(outcome(entryOf({ policy: 'password' }), visitorIp)).toBe('needs-verification');
  expect(outcome(entryOf({ policy: 'password' }), visitorIp, proof)).toBe('let in');
  expect(outcome(entryOf({ policy: 'password' }, { allowList: [visitorIp] }), visitorIp)).toBe('let in');
  const verifiedIps = [{ verificationId: 9, ip: visitorIp, expiresAtMs: wallClockMs + 1 }];
  expect(outcome(entryOf({ policy: 'closed' }, { allowList: [visitorIp] }), visitorIp, proof)).toBe('closed-by-owner');
  expect(outcome(entryOf({ policy: 'closed', verifiedIps }), visitorIp)).toBe('closed-by-owner');
  expect(denialOf(entryOf({ policy: 'closed' }), { address: visitorIp, proof }, wallClockMs)).toBe('closed-by-owner');
});

test('a public mapping lets everyone in, and no other a visitor of whom nothing is known', () => {
  expect(outcome(entryOf({ policy: 'public' }), undefined)).toBe('let in');
  expect(outcome(entryOf({ policy: 'owner' }, { allowList: [visitorIp] }), undefined)).toBe('needs-verification');
});

test('a request of another site is refused to known visitors, too, unless the mapping is public', () => {
  const visitor = { address: visitorIp, proof, isFromOtherSite: true };
  expect(denialOf(entryOf({ policy: 'owner' }, { allowList: [visitorIp] }), visitor, wallClockMs)).toBe('other-site');
  expect(denialOf(entryOf({ policy: 'public' }), visitor, wallClockMs)).toBeUndefined();
});

test('an address is judged alike however it is spelled', () => {
  const [first, second] = ['203.0.113.7', '2001:db8::7'];
  const spellings = fc.constantFrom(
    [first, `::ffff:${first}`, '::FFFF:cb00:7107', '0:0:0:0:0:ffff:cb00:7107'],
    [second, '2001:0DB8:0::7', '2001:db8:0:0:0:0:0.0.0.7', `${second}%eth0`],
  );
  const lists = fc.subarray([first, '203.0.113.0/30', '203.0.113.4/30', '2001:db8::/64', '2001:db8::8', '::/1', 'x']);
  const verified = fc.constantFrom(undefined, first, second, '::ffff:203.0.113.7', '2001:DB8::0:7', '203.0.113.8');
  fc.assert(
    fc.property(spellings, lists, verified, ([spelled = '', ...others], allowList, ip) => {
      const verifiedIps = ip === undefined ? [] : [{ verificationId: 9, ip, expiresAtMs: wallClockMs + 1 }];
      const entry = entryOf({ verifiedIps }, { allowList });
      for (const other of others) expect(outcome(entry, other)).toBe(outcome(entry, spelled));
    }),
  );
});
