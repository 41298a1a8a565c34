import { z } from 'zod';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MAX_USERNAME_LENGTH, MIN_PASSWORD_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, MAX_INTEGER, personText } from '../shared.ts';
import { passwordWeakness } from './password-weakness.ts';

/** Specification §3, "Current user (profile)". */
export const Profile = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  token: z.string().describe('the account token, copied into an agent to enrol it'),
  url: z.string(),
  is_staff: z.boolean(),
  is_promoter: z.boolean(),
  is_superuser: z.boolean(),
  is_payed: z.boolean(),
  accepted_terms_of_service: z.boolean(),
  accepted_terms_of_payment: z.boolean(),
  readed_announcement_id: z.number().int().nonnegative(),
  phone_number: z.string(),
  phone_verified: z.boolean(),
  phone_bound_at: z.iso.datetime().nullable(),
});
export type Profile = z.infer<typeof Profile>;

export const ProfileList = z.array(Profile).max(1);

/** A user name. It cannot be mistaken for another one, for a phone number, or for a mail address (which has an `@`). */
export const Username = personText(MAX_USERNAME_LENGTH)
  .regex(/^[\p{Letter}\p{Number}_.-]{2,32}$/u, { error: fieldMessage('username.shape'), abort: true })
  .refine((name) => name === name.normalize('NFKC'), fieldMessage('username.variants'))
  .refine((name) => /[\p{Letter}\p{Number}]/u.test(name), fieldMessage('username.no-letter'))
  .refine(isOfOneScript, fieldMessage('username.scripts'))
  .refine((name) => !looksLikePhone(name), fieldMessage('username.phone-like'))
  .describe(
    'in its NFKC form, of one script (or of Latin and those of Chinese, Japanese or Korean), with a letter or digit in it, and no number of 7 digits or more',
  );

/** Each set of scripts that occur together in names: the level "highly restrictive" of UTS 39, for scripts in use. */
const scripts = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Devanagari', 'Bengali'].map(only),
  ...['Gujarati', 'Gurmukhi', 'Kannada', 'Malayalam', 'Oriya', 'Tamil', 'Telugu', 'Sinhala', 'Thaana'].map(only),
  ...['Armenian', 'Georgian', 'Ethiopic', 'Tibetan', 'Mongolian', 'Yi'].map(only),
].map(
  (names) =>
    new RegExp(
      String.raw`^[\p{scx=Common}\p{scx=Inherited}${names.map((name) => `\\p{scx=${name}}`).join('')}]*$`,
      'u',
    ),
);

function only(script: string): string[] {
  return [script];
}

function isOfOneScript(name: string): boolean {
  return scripts.some((set) => set.test(name));
}

function looksLikePhone(name: string): boolean {
  return /^\p{Number}{7,}$/u.test(name.replaceAll(/[_.-]/g, ''));
}

export const ProfilePatch = z.strictObject({
  accepted_terms_of_service: z.boolean().optional(),
  accepted_terms_of_payment: z.boolean().optional(),
  readed_announcement_id: z
    .number()
    .int()
    .nonnegative()
    .max(MAX_INTEGER)
    .optional()
    .describe('only moves forward, to the newest announcement at most'),
  username: Username.optional(),
});
export type ProfilePatch = z.infer<typeof ProfilePatch>;

const Aff = z.string().max(64).optional().describe('who invited');

export const PasswordLogin = z.strictObject({
  method: z.literal('password').optional(),
  account: z.string().trim().min(1, fieldMessage('account.missing')).max(MAX_EMAIL_LENGTH),
  password: z.string().min(1, fieldMessage('password.missing')).max(MAX_PASSWORD_LENGTH),
  ticket: z.string().max(200).optional().describe('of a solved captcha, after three failures'),
  aff: Aff,
});
export type PasswordLogin = z.infer<typeof PasswordLogin>;

export const WechatLogin = z.strictObject({
  method: z.literal('wechat'),
  code: z.string().min(1).max(200),
  state: z.string().max(200),
  accepted_terms: z.literal(true, fieldMessage('terms.not-accepted')),
  aff: Aff,
});
export type WechatLogin = z.infer<typeof WechatLogin>;

export const LoginRequest = z.discriminatedUnion('method', [WechatLogin, PasswordLogin]);
export type LoginRequest = z.infer<typeof LoginRequest>;

/** The second step of `POST /custom/login/second/`. */
export const SecondFactorNeed = z.object({
  token: z.string(),
  methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
  expires_at: z.iso.datetime(),
});
export type SecondFactorNeed = z.infer<typeof SecondFactorNeed>;

/** After a login, the user's id. Before the second step, 0 and what that step needs. */
export const LoginReply = z.object({
  id: z.number().int().nonnegative(),
  second_factor: SecondFactorNeed.nullable(),
});
export type LoginReply = z.infer<typeof LoginReply>;

export const LoginStatus = z.object({ logged_in: z.boolean(), id: z.number().int().nonnegative() });

/** The server also compares it with the account's name, mail address and phone number. */
export const NewPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, { error: fieldMessage('new-password.too-short'), abort: true })
  .max(MAX_PASSWORD_LENGTH, { error: fieldMessage('new-password.too-long'), abort: true })
  .superRefine((password, context) => {
    const weakness = passwordWeakness(password);
    if (weakness !== undefined) context.addIssue({ code: 'custom', message: weakness });
  })
  .describe(
    'not the account’s name, address or number, nor common words and a few characters, no plain run, at least 5 different characters',
  );

/** Accounts that were created by phone or WeChat have no password at first. */
export const PasswordChange = z
  .strictObject({
    old_password: z.string().min(1, fieldMessage('old-password.missing')).max(MAX_PASSWORD_LENGTH).optional(),
    new_password: NewPassword,
  })
  .describe(
    'An account with a password needs `old_password`. One without sets its first within ten minutes after it has proven who it is.',
  );
export type PasswordChange = z.infer<typeof PasswordChange>;

export const Done = z.object({ ok: z.literal(true) });

/** A binding proof: enrols one device in place of the account token, once, within 10 minutes. */
export const TokenSign = z.object({ token_id: z.string(), sign: z.string(), expires_at: z.iso.datetime() });
