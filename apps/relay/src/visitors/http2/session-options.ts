import type { ServerOptions } from 'node:http2';
import { MAX_FIELDS, MAX_HEAD_BYTES } from '../../codecs/http/fields.ts';
import { FLOOD_BURST, FLOOD_PER_SECOND } from './flood-guard.ts';

/**
 * What a visitor may have on its way to us at once, on one stream and on all of a session. A stream whose service does
 * not read holds as much; what others sent is counted as read at once, so it holds up none of them.
 */
const STREAM_WINDOW_BYTES = 512 * 1024;
export const SESSION_WINDOW_BYTES = 2 * 1024 * 1024;

/** More fields than the limit are read, so that they can be answered with a page that says so. */
const FIELDS_MARGIN = 2;
/**
 * And longer heads: as long as the library takes in any (nine frames of 16 KB, compressed). Whoever sends more than that
 * is told over HTTP/1.1, see `net/long-heads.ts`.
 */
const HEAD_MARGIN = 8;

/**
 * What one session may ask of us. A browser cancels what a page had open when it is left, some hundred requests at
 * most, now and then; Rapid Reset (CVE-2023-44487) needs thousands a second to hurt. The library counts resets in a
 * bucket that holds `streamResetBurst` and refills by `streamResetRate` a second, and ends the session when it is empty.
 */
export const sessionOptions: ServerOptions = {
  streamResetBurst: FLOOD_BURST,
  streamResetRate: FLOOD_PER_SECOND,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  /**
   * In MB. What stalled streams hold is bounded before, by the windows of the tunnels that it came through; a session
   * that takes all of those must still be able to open a stream. What is left of this is far more than heads need.
   */
  maxSessionMemory: 320,
  maxHeaderListPairs: MAX_FIELDS * FIELDS_MARGIN,
  /** LAN services send such fields twice, and HTTP/1 visitors get them so. */
  strictSingleValueFields: false,
  settings: {
    maxConcurrentStreams: 128,
    initialWindowSize: STREAM_WINDOW_BYTES,
    maxHeaderListSize: MAX_HEAD_BYTES * HEAD_MARGIN,
  },
};
