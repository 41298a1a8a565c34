import { availableParallelism } from 'node:os';
import { hashPassword } from './password-hash.ts';
import { Turns } from './turns.ts';

// Node has four threads for this and for much else, and a small machine fewer cores. A login takes no turn: its own limits
// bound it, and it shall find a thread and a core whatever accounts ask for.
const AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));

/** One for the process, as are the threads that it spares. */
const turns = new Turns({ atOnce: AT_ONCE, waitingEach: 10, waiting: 100 });

/** What hashes a password besides a login, for an account or a visitor's network: few at once. Throws request.too-many. */
export async function takeHashTurn<Result>(whose: string, work: () => Promise<Result>): Promise<Result> {
  return await turns.take(whose, work);
}

/** `hashPassword` when the account's turn comes. */
export async function hashInTurn(userId: number, password: string): Promise<string> {
  return await takeHashTurn(turnOf(userId), async () => await hashPassword(password));
}

/** Under what an account takes its turn. */
export function turnOf(userId: number): string {
  return `user:${userId}`;
}
