import type { ServerOptions } from 'node:http2';
import { MAX_FIELDS, MAX_HEAD_BYTES } from '../../codecs/http/fields.ts';
import { MAX_ANSWER_HEAD_BYTES } from '../../codecs/http1/answer-head-reader.ts';
import { FLOOD_BURST, FLOOD_PER_SECOND } from './flood-guard.ts';

/**
 * The receive windows of one stream and of a session. A stream whose service does not read holds a full stream window;
 * bytes of other streams are counted as read at once, so it delays none of them.
 */
export const STREAM_WINDOW_BYTES = 512 * 1024;
export const SESSION_WINDOW_BYTES = 2 * 1024 * 1024;

/** More fields than the limit are read, so that they can be answered with a page that says so. */
const FIELDS_MARGIN = 2;
/**
 * Longer heads are read, too, up to the library's limit (nine frames of 16 KB, compressed). A visitor with more gets its
 * answer over HTTP/1.1, see `net/long-heads.ts`.
 */
const HEAD_MARGIN = 8;
/** The library's estimate for a compressed head has 12 bytes more for each field, and the smallest line of HTTP/1 has four. */
const ANSWER_HEAD_MARGIN = 4;

/**
 * The limits of one session. A browser that leaves a page cancels its open requests, some hundred at
 * most, now and then; Rapid Reset (CVE-2023-44487) needs thousands a second to hurt. The library counts resets in a
 * bucket that holds `streamResetBurst` and refills by `streamResetRate` a second, and ends the session when it is empty.
 */
export const sessionOptions: ServerOptions = {
  streamResetBurst: FLOOD_BURST,
  streamResetRate: FLOOD_PER_SECOND,
  maxSessionInvalidFrames: 100,
  /** A page that is loaded anew cancels its requests and asks again in the same turn: then all of them still count as open. */
  maxSessionRejectedStreams: 1_000,
  /**
   * In MB. The tunnels' windows already limit what stalled streams hold; a session that uses all of them must still be
   * able to open a stream. The rest is far more than heads need.
   */
  maxSessionMemory: 320,
  maxSendHeaderBlockLength: MAX_ANSWER_HEAD_BYTES * ANSWER_HEAD_MARGIN,
  maxHeaderListPairs: MAX_FIELDS * FIELDS_MARGIN,
  /** LAN services repeat such fields, and HTTP/1 visitors get them unchanged. */
  strictSingleValueFields: false,
  settings: {
    maxConcurrentStreams: 128,
    initialWindowSize: STREAM_WINDOW_BYTES,
    maxHeaderListSize: MAX_HEAD_BYTES * HEAD_MARGIN,
  },
};
