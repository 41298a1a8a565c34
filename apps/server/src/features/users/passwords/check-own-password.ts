import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { takeHashTurn, turnOf } from './hash-turns.ts';
import { verifyPassword } from './password-hash.ts';
import { countPasswordGuess, forgetPasswordGuesses, type PasswordGuess } from './password-guess.ts';
import { findCredentialsById } from '../user-store.ts';

/** Asks somebody who is logged in for their password again. Throws `password.wrong`, `login.locked` or `request.too-many`. */
export async function checkOwnPassword(db: Db, guess: PasswordGuess, password: string): Promise<void> {
  const credentials = await findCredentialsById(db, guess.userId);
  // The turn goes around the counting: whoever is refused one has not failed.
  await takeHashTurn(turnOf(guess.userId), async () => {
    await countPasswordGuess(db, guess);
    if (!(await verifyPassword(password, credentials?.passwordHash))) throw new AppError('password.wrong');
    await forgetPasswordGuesses(db, guess);
  });
}
