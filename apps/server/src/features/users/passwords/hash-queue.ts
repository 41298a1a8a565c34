import { availableParallelism } from 'node:os';
import { hashPassword } from './password-hash.ts';
import { TaskQueue } from './task-queue.ts';

// Node's thread pool has four threads; hashing leaves some of them, and of the cores, to everything else. A login is not
// queued: its own limits bound it, and it finds a thread however many other hashes are waiting.
const MAX_RUNNING = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));

/** One for the process, because the thread pool is also one for the process. */
const queue = new TaskQueue({ maxRunning: MAX_RUNNING, maxWaitingPerOwner: 10, maxWaiting: 100 });

/** Queues a task that hashes a password, for an account or for a visitor's network. Throws `request.too-many`. */
export async function queueHashing<Result>(owner: string, task: () => Promise<Result>): Promise<Result> {
  return await queue.run(owner, task);
}

/** `hashPassword`, queued for the account. */
export async function hashQueued(userId: number, password: string): Promise<string> {
  return await queueHashing(queueOwner(userId), async () => await hashPassword(password));
}

/** The account as an owner of queued tasks. */
export function queueOwner(userId: number): string {
  return `user:${userId}`;
}
