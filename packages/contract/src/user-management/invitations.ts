import { z } from 'zod';
import { Done, LoginReply, NewPassword, Username } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { EmailAddress, Id, IdParams, personText, Timestamp } from '../shared.ts';
import { InvitationLife, LinkMade } from './invitation-links.ts';

/** An unused invitation, as staff sees it. */
export const Invitation = z.object({
  id: Id,
  note: z.string().describe('whom it is for'),
  email: z.string().describe('where it was sent; empty where its link was handed over'),
  invited_by: z.string().describe('username'),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

export const InvitationCreate = z.strictObject({
  note: personText(MAX_NAME_LENGTH).default(''),
  valid_hours: InvitationLife,
  email: EmailAddress.optional().describe('the link is sent there, and not shown'),
});
export type InvitationCreate = z.infer<typeof InvitationCreate>;

/** What the page of a link shows before it is used. */
export const InvitationFacts = z.object({
  purpose: z.enum(['join', 'password']).describe('`join`: make an account; `password`: choose the one of an account'),
  username: z.string().describe('whose password; empty for `join`'),
  invited_by: z.string().describe('username; empty where the account’s owner asked for the link'),
  address: z.string().describe('of the mapping that is shared; empty where there is none'),
  can_join: z.boolean().describe('false: only somebody with an account can accept it'),
  expires_at: Timestamp,
});
export type InvitationFacts = z.infer<typeof InvitationFacts>;

const Token = z.string().regex(/^[\w-]{22}$/, fieldMessage('invitation.token'));
const token = { token: Token };

const refused = ['session.required', 'session.forbidden'] as const;
const unknown = 'invitation.not-found';

export const invitationEndpoints = {
  'GET /api/manage/invitations/': {
    summary: '还没有使用的邀请（管理员），新的在前',
    response: z.array(Invitation),
    role: 'staff',
    errors: refused,
  },
  'POST /api/manage/invitations/': {
    summary: '邀请一个人注册账号（管理员）：一次性链接',
    body: InvitationCreate,
    response: LinkMade,
    status: 201,
    role: 'staff',
    confirmed: true,
    errors: [...refused, 'session.confirm-required', 'invitation.daily-limit', 'mail.unavailable'],
  },
  'DELETE /api/manage/invitations/{id}/': {
    summary: '撤销还没有使用的邀请（管理员）',
    params: IdParams,
    response: Done,
    role: 'staff',
    confirmed: true,
    errors: [...refused, 'session.confirm-required', unknown],
  },
  'POST /api/user/members/{id}/invitation/': {
    summary: '给还没有加入的成员一个邀请链接：之前的链接失效',
    params: IdParams,
    response: LinkMade,
    status: 201,
    confirmed: true,
    errors: [
      'session.required',
      'session.confirm-required',
      'member.not-found',
      'invitation.needless',
      'invitation.daily-limit',
      'registration.closed',
    ],
  },
  'POST /api/invitation/look/': {
    summary: '邀请或重设密码的链接是什么',
    body: z.strictObject(token),
    response: InvitationFacts,
    errors: [unknown],
  },
  'POST /api/invitation/join/': {
    summary: '用邀请链接注册账号并登录',
    body: z.strictObject({
      ...token,
      username: Username,
      new_password: NewPassword,
      aff: z.string().max(64).optional().describe('invitation code of who gets the reward'),
      accepted_terms: z.literal(true, fieldMessage('terms.not-accepted')),
    }),
    response: LoginReply,
    errors: [unknown, 'user.name-taken', 'user.name-look-alike', 'user.name-reserved', 'registration.closed'],
  },
  'POST /api/invitation/accept/': {
    summary: '以当前账号接受共享邀请',
    body: z.strictObject(token),
    response: Done,
    errors: ['session.required', unknown, 'invitation.own'],
  },
  'POST /api/invitation/password/': {
    summary: '用链接设置新密码：其他登录和 API 令牌全部失效',
    body: z.strictObject({ ...token, new_password: NewPassword }),
    response: z.object({ username: z.string() }),
    errors: [unknown],
  },
  'POST /api/invitation/forgotten/': {
    summary: '忘记密码：向账号的邮箱发送重设链接。无论有没有这个账号，回复都一样',
    body: z.strictObject({
      email: EmailAddress,
      ticket: z.string().max(200).optional().describe('of a solved captcha'),
    }),
    response: Done,
    errors: ['captcha.required', 'captcha.ticket-expired', 'code.too-often', 'code.daily-limit', 'mail.unavailable'],
  },
} as const satisfies Endpoints;
