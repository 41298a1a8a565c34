import { expect, test } from 'vitest';
import { defaultGatewayLimits, type HeldLimits } from '../config/gateway-limits.ts';
import { AccountShares } from './account-shares.ts';
import { SessionMemory } from './session-memory.ts';

const small: HeldLimits = {
  maxBytesPerSession: 60,
  maxBytesPerAccount: 100,
  maxBytesPerOwner: 150,
  maxBytes: 200,
  reservedBytesPerAccount: 10,
};

function createShares(held: Partial<HeldLimits> = {}) {
  const shares = new AccountShares({ ...defaultGatewayLimits, held: { ...small, ...held } }, () => 0);
  return (accountId: number, ownerId = accountId) => {
    const { share, end } = shares.open({ accountId, ownerId });
    return { memory: new SessionMemory(share.budget), end };
  };
}

const overBudget = expect.objectContaining({ code: 'over-budget' }) as Error;

test('a session holds so much and no more, and what is released can be held again', () => {
  const { memory } = createShares()(1);
  const held = memory.hold(40);
  expect(() => held.grow(21)).toThrow(overBudget);
  expect(memory.heldBytes).toBe(40); // nothing of what was refused
  held.grow(20);
  held[Symbol.dispose]();
  expect(memory.heldBytes).toBe(0);
  expect(() => held.grow(1)).toThrow(expect.objectContaining({ code: 'lost' }));
  memory.hold(60);
});

test('the sessions of an account share what it may hold, and another account notices nothing', () => {
  const open = createShares();
  open(1).memory.hold(60);
  const second = open(1).memory;
  expect(() => second.hold(41)).toThrow(overBudget);
  second.hold(40);
  open(2).memory.hold(60);
});

test('members with the targets of one owner share what it may make us hold', () => {
  const open = createShares();
  open(1, 9).memory.hold(60);
  open(2, 9).memory.hold(60);
  expect(() => open(3, 9).memory.hold(31)).toThrow(overBudget);
  open(3, 3).memory.hold(31); // with a target of its own
});

test('while all of the memory is held, an account may still hold a little', () => {
  const open = createShares();
  for (const account of [1, 2]) for (const bytes of [60, 40]) open(account).memory.hold(bytes);
  const { memory } = open(3);
  memory.hold(10);
  expect(() => memory.hold(1)).toThrow(overBudget);
  expect(() => open(1).memory.hold(1)).toThrow(overBudget);
});

test('transfers get smaller windows when little is left, and fail only where not even the least is', () => {
  const open = createShares({ maxBytesPerSession: 100 });
  const { memory } = open(1);
  expect(memory.holdUpTo(8, 1).bytes).toBe(8);
  memory.hold(60);
  expect(memory.holdUpTo(8, 1).bytes).toBe(4);
  expect(memory.holdUpTo(8, 6).bytes).toBe(6);
  expect(memory.holdUpTo(2, 6).bytes).toBe(2); // no more than is wanted
  memory.hold(18);
  expect(() => memory.holdUpTo(8, 6)).toThrow(overBudget);
});

test('what is held can become less and more', () => {
  const { memory } = createShares()(1);
  const held = memory.hold(10);
  held.resize(50);
  expect(memory.heldBytes).toBe(50);
  held.resize(5);
  expect(memory.heldBytes).toBe(5);
  expect(() => held.resize(61)).toThrow(overBudget);
});

test('an account that comes back after its sessions have ended begins anew', () => {
  const open = createShares();
  const { memory, end } = open(1);
  const held = memory.hold(60);
  end();
  held[Symbol.dispose]();
  const [first, second] = [open(1).memory, open(1).memory];
  first.hold(60);
  second.hold(40);
});
