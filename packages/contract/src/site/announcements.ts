import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_ANNOUNCEMENT_DETAIL_LENGTH, MAX_ANNOUNCEMENT_TITLE_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdParams, pageOf, PageQuery, personName, Timestamp, GivenId } from '../shared.ts';
import { WebUrl } from '../web-url.ts';

/** Specification §3, "Announcement". */
const Specified = z.object({
  id: Id,
  title: z.string(),
  detail: z.string(),
  url: z.string().describe('empty: no link'),
  display: z.boolean(),
});

/** An announcement in the public list. */
export const Announcement = Specified.extend({ published_at: Timestamp.describe('when it was first shown') });
export type Announcement = z.infer<typeof Announcement>;
export const AnnouncementList = z.array(Announcement);

/**
 * An announcement in the staff's list. It is public while `display` is true and the time is between `starts_at` and
 * `ends_at`. Its id differs from the number in the public list, which is assigned when it is first shown: so an
 * announcement that starts later is unread for users who have read all earlier ones.
 */
export const ManagedAnnouncement = Specified.extend({
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  created_at: Timestamp,
  revision: z.number().int().positive().describe('increases with each change'),
});
export type ManagedAnnouncement = z.infer<typeof ManagedAnnouncement>;

const written = {
  title: personName(MAX_ANNOUNCEMENT_TITLE_LENGTH, 'announcement-title.missing'),
  detail: z
    .string()
    .trim()
    .min(1, fieldMessage('announcement-detail.missing'))
    .max(MAX_ANNOUNCEMENT_DETAIL_LENGTH)
    .regex(/^(?:\P{Cc}|\n)*$/u, fieldMessage('text.control')),
  url: z.union([z.literal(''), WebUrl]),
  display: z.boolean(),
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
};

type Span = { starts_at: string | null; ends_at: string | null };
const inOrder = ({ starts_at, ends_at }: Span): boolean =>
  starts_at === null || ends_at === null || Date.parse(starts_at) < Date.parse(ends_at);
const orderRule = { path: ['ends_at'], message: fieldMessage('end.not-after-start') };
const orderText = '`starts_at` is before `ends_at` where both are given.';

export const AnnouncementBody = z.strictObject(written).refine(inOrder, orderRule).describe(orderText);
export type AnnouncementBody = z.infer<typeof AnnouncementBody>;

export const AnnouncementChange = z
  .strictObject({
    ...written,
    revision: GivenId.describe('of the announcement that was changed; refused when it is another now'),
  })
  .refine(inOrder, orderRule)
  .describe(orderText);
export type AnnouncementChange = z.infer<typeof AnnouncementChange>;

const staffOnly = ['session.required', 'session.forbidden'] as const;

export const announcementEndpoints = {
  'GET /api/announcement/announcements/': { summary: '公告', response: AnnouncementList, errors: [] },
  'GET /api/announcement/manage/': {
    summary: '全部公告（管理员），最近的在前',
    query: PageQuery,
    response: pageOf(ManagedAnnouncement),
    role: 'staff',
    errors: staffOnly,
  },
  'POST /api/announcement/manage/': {
    summary: '发布公告（管理员）',
    body: AnnouncementBody,
    response: ManagedAnnouncement,
    status: 201,
    role: 'staff',
    confirmed: true,
    errors: [...staffOnly, 'session.confirm-required'],
  },
  'PATCH /api/announcement/manage/{id}/': {
    summary: '修改公告（管理员）',
    params: IdParams,
    body: AnnouncementChange,
    response: ManagedAnnouncement,
    role: 'staff',
    confirmed: true,
    errors: [...staffOnly, 'session.confirm-required', 'announcement.not-found', 'announcement.changed'],
  },
  'DELETE /api/announcement/manage/{id}/': {
    summary: '删除公告（管理员）',
    params: IdParams,
    response: Done,
    role: 'staff',
    errors: [...staffOnly, 'announcement.not-found'],
  },
} as const satisfies Endpoints;
