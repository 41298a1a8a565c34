import { hashPassword } from '../features/users/index.ts';

/** For accounts that a test makes: their password is not worth a twentieth of a second whenever it is checked. */
export async function hashCheaply(password: string): Promise<string> {
  return await hashPassword(password, { memoryKib: 8, passes: 1, lanes: 1 });
}
