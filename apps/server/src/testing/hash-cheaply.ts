import { hashPassword } from '../features/users/index.ts';

/** Hashes the password of a test's account with little work, because a normal hash takes 50 ms at each check. */
export async function hashCheaply(password: string): Promise<string> {
  return await hashPassword(password, { memoryKib: 8, passes: 1, lanes: 1 });
}
