import type { CaptchaType } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { ExpectedAnswer } from '../../features/captcha/index.ts';

/** The answer of a captcha. No API call returns it. */
export async function findCaptchaAnswer(db: Db, key: string): Promise<ExpectedAnswer> {
  const row = await db.selectFrom('captchaChallenge').where('key', '=', key).select('answer').executeTakeFirstOrThrow();
  return ExpectedAnswer.parse(row.answer);
}

/** Makes the server show one type only, through a trigger, because no call can choose the type. */
export async function preferCaptcha(db: Db, type: CaptchaType): Promise<void> {
  await sql`
    create or replace function preferred_captcha() returns trigger language plpgsql as $$
    begin
      if new.type <> 'click' then new.type := ${sql.lit(type)}; end if;
      return new;
    end $$`.execute(db);
  await sql`
    create or replace trigger preferred_captcha before insert on captcha_challenge
      for each row execute function preferred_captcha()`.execute(db);
}

/** Deletes open captchas, which count against a client that requests more. */
export async function forgetCaptchas(db: Db): Promise<void> {
  await db.deleteFrom('captchaChallenge').execute();
}

/** Resets the counter of all clients' wrong answers. */
export async function forgetWrongCaptchas(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', '=', 'captcha wrong from all').execute();
}
