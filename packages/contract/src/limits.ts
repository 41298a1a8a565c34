/**
 * Lengths and counts: the schemas refuse larger values, and the console's inputs end there. This file imports no
 * library, so the browser can load it.
 */

/** For names that users give: devices, share links, passkeys, API tokens, alert channels. */
export const MAX_NAME_LENGTH = 40;
/** Devices that one call changes or deletes. */
export const MAX_DEVICES_AT_ONCE = 500;
export const MAX_USERNAME_LENGTH = 32;
/** RFC 5321 §4.5.3.1.3, without the angle brackets. User names and phone numbers are shorter. */
export const MAX_EMAIL_LENGTH = 254;
/** As typed, with spaces, hyphens and brackets. */
export const MAX_PHONE_LENGTH = 32;

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;
/** Fewer different characters are quickly guessed. */
export const MIN_DIFFERENT_CHARACTERS = 5;
/** As typed, with separators between the groups of letters. */
export const MAX_RECOVERY_CODE_LENGTH = 40;

/** The access password of a mapping. */
export const MIN_ACCESS_PASSWORD_LENGTH = 4;
export const MAX_ACCESS_PASSWORD_LENGTH = 64;
export const MAX_ALLOW_LIST_ENTRIES = 8;
export const MAX_REMARK_LENGTH = 100;
/** Devices of one account whose own frpc.toml manages the mappings. */
export const MAX_FRPC_TOML_DEVICES = 100;
/** A domain name (253) with a port. */
export const MAX_HOST_LENGTH = 260;

/** What a cloud app keeps: its username, its passwords, its private key (a PEM of 16 384 bits has 12 500), its folder. */
export const MAX_APP_USERNAME_LENGTH = 128;
export const MAX_APP_SECRET_LENGTH = 500;
export const MAX_PRIVATE_KEY_LENGTH = 20_000;
export const MAX_APP_PATH_LENGTH = 1_000;

/** How many browsers a share link may let in. */
export const MAX_SHARE_USES = 10_000;
/** A year: the longest time for which access is granted. */
export const MAX_ACCESS_HOURS = 8_760;

/** Active enrolment keys of one account. */
export const MAX_ENROLMENT_KEYS = 50;
/** A year. */
export const MAX_ENROLMENT_KEY_HOURS = 8_760;

/** 30 days: the validity of a one-time link. */
export const MAX_INVITATION_HOURS = 720;

/** A URL that a user types. */
export const MAX_URL_LENGTH = 500;
export const MAX_ALERT_CHANNELS = 10;
/** The longest one of all kinds. */
export const MAX_ALERT_SECRET_LENGTH = 200;

export const MAX_ANNOUNCEMENT_TITLE_LENGTH = 60;
export const MAX_ANNOUNCEMENT_DETAIL_LENGTH = 2_000;

export const MAX_SEARCH_LENGTH = 100;
/** The most visits that a visitor log keeps: the latest. */
export const MAX_VISITS_OF_MAPPING = 50_000;
export const MAX_PAGE_SIZE = 500;
export const MAX_PAGE_OFFSET = 1_000_000;

export const MAX_CLOUD_APPS_PER_DEVICE = 100;
/** Times at which one host is woken by itself. */
export const MAX_WAKE_TIMES = 10;
export const MAX_MEMBERS_PER_CLOUD_APP = 50;
/** Open sessions of one account, over all its apps. */
export const MAX_OPEN_APP_SESSIONS = 20;

/** All targets of a device are sent to its agent in one control message of at most 1 MiB. */
export const MAX_MAPPINGS_PER_DEVICE = 500;
/** A file with all mappings of a device, in characters. */
export const MAX_MAPPING_FILE_LENGTH = 600_000;

/** Keys that are made at once. */
export const MAX_KEYS_PER_BATCH = 1_000;
/** A tier of a bulk product cannot be for more keys than one batch has. */
export const MAX_BULK_QUANTITY = 1_000;
/** Keys that one call marks. */
export const MAX_MARKED_KEYS = 1_000;
/** The version of the terms of payment that a buyer accepts; a change of their text in the console raises it. */
export const PAYMENT_TERMS_VERSION = 1;

/** Of a banner, group or link that staff show. Base64 of an image stays below the limit of a request's body. */
export const MAX_IMAGE_BYTES = 307_200;
export const MAX_SITE_ENTRIES = 100;
export const MAX_SITE_ENTRY_TITLE_LENGTH = 60;
export const MAX_SITE_ENTRY_DETAIL_LENGTH = 500;
export const MAX_QR_TEXT_LENGTH = 500;
