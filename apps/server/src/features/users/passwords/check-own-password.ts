import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { queueHashing, queueOwner } from './hash-queue.ts';
import { verifyPassword } from './password-hash.ts';
import { countPasswordGuess, clearPasswordGuesses, type PasswordGuess } from './password-guess.ts';
import { findCredentialsById } from '../user-store.ts';

/** Checks the password of a user who is logged in. Throws `password.wrong`, `login.locked` or `request.too-many`. */
export async function checkOwnPassword(db: Db, guess: PasswordGuess, password: string): Promise<void> {
  const credentials = await findCredentialsById(db, guess.userId);
  // The queue comes before the count, because a request that the queue refuses is not a wrong password.
  await queueHashing(queueOwner(guess.userId), async () => {
    await countPasswordGuess(db, guess);
    if (!(await verifyPassword(password, credentials?.passwordHash))) throw new AppError('password.wrong');
    await clearPasswordGuesses(db, guess);
  });
}
