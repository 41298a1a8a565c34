/**
 * How long and how many: the schemas refuse what is beyond, and the page lets nobody type it. This file loads no library,
 * so the browser can import it.
 */

/** Of what people name: devices, share links, passkeys, API tokens, alert channels. */
export const MAX_NAME_LENGTH = 40;
export const MAX_USERNAME_LENGTH = 32;
/** RFC 5321 §4.5.3.1.3, without the angle brackets. Nothing else that an account is called by is longer. */
export const MAX_EMAIL_LENGTH = 254;
/** As it is typed: with spaces, hyphens and brackets. */
export const MAX_PHONE_LENGTH = 32;

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;
/** Of a new password: with fewer it is guessed at once. */
export const MIN_DIFFERENT_CHARACTERS = 5;
/** As it is typed: with whatever groups its letters. */
export const MAX_RECOVERY_CODE_LENGTH = 40;

/** The password that all visitors of one mapping share. */
export const MIN_ACCESS_PASSWORD_LENGTH = 4;
export const MAX_ACCESS_PASSWORD_LENGTH = 64;
export const MAX_ALLOW_LIST_ENTRIES = 8;
export const MAX_REMARK_LENGTH = 100;
/** A domain (253) with a port. */
export const MAX_HOST_LENGTH = 260;

/** Browsers that one share link lets in. */
export const MAX_SHARE_USES = 10_000;
/** A year: for how long somebody can be let in at once. */
export const MAX_ACCESS_HOURS = 8_760;

/** Keys of one account that can still enrol devices. */
export const MAX_ENROLMENT_KEYS = 50;
/** A year. */
export const MAX_ENROLMENT_KEY_HOURS = 8_760;

/** 30 days: for how long a one-time link to an account can be used. */
export const MAX_INVITATION_HOURS = 720;

/** An address of the web that people type, to be shown or called. */
export const MAX_URL_LENGTH = 500;
export const MAX_ALERT_CHANNELS = 10;
/** The longest of any kind. */
export const MAX_ALERT_SECRET_LENGTH = 200;

export const MAX_ANNOUNCEMENT_TITLE_LENGTH = 60;
export const MAX_ANNOUNCEMENT_DETAIL_LENGTH = 2_000;

export const MAX_SEARCH_LENGTH = 100;
export const MAX_PAGE_SIZE = 500;
export const MAX_PAGE_OFFSET = 1_000_000;

/** All of them travel to the agent in one control message of at most 1 MiB. */
export const MAX_MAPPINGS_PER_DEVICE = 500;
