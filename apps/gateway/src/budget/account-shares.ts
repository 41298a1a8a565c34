import type { GatewaySession } from '@tongtu/contract';
import type { GatewayLimits } from '../config/gateway-limits.ts';
import { type AccountTurn, Turns } from './account-turns.ts';
import { MemoryBudget } from './memory-budget.ts';

export type SessionShare = { budget: MemoryBudget; turn: AccountTurn };

type Account = { memory: MemoryBudget; turn: AccountTurn; sessions: number };
type Owner = { memory: MemoryBudget; sessions: number };

/**
 * What accounts may use of this process. A session counts for the account that has opened it, and for the owner of its
 * target: else one account could use a lot by many targets of others, or by many members of one target.
 */
export class AccountShares {
  readonly #limits: GatewayLimits;
  readonly #all: MemoryBudget;
  readonly #turns: Turns;
  readonly #accounts = new Map<number, Account>();
  readonly #owners = new Map<number, Owner>();

  constructor(limits: GatewayLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#all = new MemoryBudget(limits.held.maxBytes);
    this.#turns = new Turns(limits.turnMs, monotonicMs);
  }

  open({ accountId, ownerId }: Pick<GatewaySession, 'accountId' | 'ownerId'>): {
    share: SessionShare;
    end: () => void;
  } {
    const account = this.#accounts.get(accountId) ?? this.#newAccount();
    const owner = this.#owners.get(ownerId) ?? this.#newOwner();
    this.#accounts.set(accountId, account);
    this.#owners.set(ownerId, owner);
    account.sessions++;
    owner.sessions++;
    const budget = new MemoryBudget(this.#limits.held.maxBytesPerSession, [account.memory, owner.memory]);
    return {
      share: { budget, turn: account.turn },
      end: () => {
        if (--account.sessions === 0) this.#accounts.delete(accountId);
        if (--owner.sessions === 0) this.#owners.delete(ownerId);
      },
    };
  }

  #newAccount(): Account {
    const { maxBytesPerAccount, reservedBytesPerAccount: reservedBytes } = this.#limits.held;
    const memory = new MemoryBudget(maxBytesPerAccount, [this.#all], { reservedBytes });
    return { memory, turn: this.#turns.of(), sessions: 0 };
  }

  #newOwner(): Owner {
    return { memory: new MemoryBudget(this.#limits.held.maxBytesPerOwner), sessions: 0 };
  }
}
