import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import {
  MAX_IMAGE_BYTES,
  MAX_QR_TEXT_LENGTH,
  MAX_SITE_ENTRY_DETAIL_LENGTH,
  MAX_SITE_ENTRY_TITLE_LENGTH,
} from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdParams, personName, personText, Timestamp, GivenId } from '../shared.ts';
import { WebUrl } from '../web-url.ts';

/** Something that staff show on the devices screen, in the order of the list. */
export const Banner = z.object({
  id: Id,
  title: z.string(),
  image: z.string().describe('path of the image; empty: none'),
  url: z.string().describe('empty: no link'),
  revision: z.number().int().positive().describe('increases with each change: a changed banner is shown again'),
});
export type Banner = z.infer<typeof Banner>;

/** A group or link of 玩家交流. */
export const CommunityEntry = z.object({
  id: Id,
  title: z.string(),
  detail: z.string(),
  image: z.string().describe('path of the image; empty: none'),
  qr_text: z.string().describe('to be drawn as QR code; empty: none'),
  url: z.string().describe('empty: no link'),
});
export type CommunityEntry = z.infer<typeof CommunityEntry>;

/** Users see it while `display` is true and the time is between `starts_at` and `ends_at`. */
export const ManagedSiteEntry = CommunityEntry.extend({
  kind: z.enum(['banner', 'community']),
  position: z.number().int(),
  display: z.boolean(),
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  revision: z.number().int().positive(),
});
export type ManagedSiteEntry = z.infer<typeof ManagedSiteEntry>;

const written = {
  title: personName(MAX_SITE_ENTRY_TITLE_LENGTH, 'announcement-title.missing'),
  detail: z
    .string()
    .trim()
    .max(MAX_SITE_ENTRY_DETAIL_LENGTH)
    .regex(/^(?:\P{Cc}|\n)*$/u, fieldMessage('text.control')),
  url: z.union([z.literal(''), WebUrl]),
  qr_text: personText(MAX_QR_TEXT_LENGTH),
  position: z.number().int().min(0).max(10_000).describe('order in the list; equal ones by id'),
  display: z.boolean(),
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  image_base64: z
    .base64()
    .max(Math.ceil(MAX_IMAGE_BYTES / 3) * 4)
    .nullable()
    .optional()
    .describe('PNG, JPEG or WebP in base64; null: none; absent: as it is'),
};

type Span = { starts_at: string | null; ends_at: string | null };
const inOrder = ({ starts_at, ends_at }: Span): boolean =>
  starts_at === null || ends_at === null || Date.parse(starts_at) < Date.parse(ends_at);
const orderRule = { path: ['ends_at'], message: fieldMessage('end.not-after-start') };

export const SiteEntryCreate = z
  .strictObject({ kind: ManagedSiteEntry.shape.kind, ...written })
  .refine(inOrder, orderRule)
  .describe('`starts_at` is before `ends_at` where both are given.');
export type SiteEntryCreate = z.infer<typeof SiteEntryCreate>;

export const SiteEntryChange = z
  .strictObject({ revision: GivenId.describe('of the entry that was changed'), ...written })
  .refine(inOrder, orderRule)
  .describe('`starts_at` is before `ends_at` where both are given.');
export type SiteEntryChange = z.infer<typeof SiteEntryChange>;

const staffOnly = ['session.required', 'session.forbidden'] as const;

export const siteEntryEndpoints = {
  'GET /api/site/promoters/': {
    summary: '设备页面上的横幅',
    response: z.array(Banner),
    errors: ['session.required'],
  },
  'GET /api/site/community/': {
    summary: '玩家交流：群和链接',
    response: z.array(CommunityEntry),
    errors: ['session.required'],
  },
  'GET /api/manage/site_entries/': {
    summary: '全部横幅、群和链接（管理员），按显示顺序',
    response: z.array(ManagedSiteEntry),
    role: 'staff',
    errors: staffOnly,
  },
  'POST /api/manage/site_entries/': {
    summary: '新建横幅、群或链接（管理员），最多 100 个',
    body: SiteEntryCreate,
    response: ManagedSiteEntry,
    status: 201,
    role: 'staff',
    confirmed: true,
    errors: [...staffOnly, 'session.confirm-required', 'image.unsupported', 'site-entry.limit-reached'],
  },
  'PATCH /api/manage/site_entries/{id}/': {
    summary: '修改横幅、群或链接（管理员）',
    params: IdParams,
    body: SiteEntryChange,
    response: ManagedSiteEntry,
    role: 'staff',
    confirmed: true,
    errors: [
      ...staffOnly,
      'session.confirm-required',
      'image.unsupported',
      'site-entry.not-found',
      'site-entry.changed',
    ],
  },
  'DELETE /api/manage/site_entries/{id}/': {
    summary: '删除横幅、群或链接（管理员）',
    params: IdParams,
    response: Done,
    role: 'staff',
    errors: [...staffOnly, 'site-entry.not-found'],
  },
} as const satisfies Endpoints;
