import { createHmac } from 'node:crypto';
import type { UsageEntry } from '@tongtu/contract';
import { placeOf } from '../places/index.ts';

/** A sketch has so many hashes; see migration 0061. */
const SKETCH_SIZE = 256;
/** Hashes are below 2^48, so that numbers hold them exactly. */
const HASH_BYTES = 6;

/** What an entry says of its visitors, without their addresses. */
export type UsageSources = {
  mappingId: number;
  latency: number[];
  visitors: number[];
  networks: number[];
  isTruncated: boolean;
  places: Map<string, number>;
  requestsByVisitor: Map<number, number>;
};

/** `visitorOf`: the account of a verification that belongs to one, so that an account with two browsers is one visitor. */
export type SourceDeps = { sourceKey: Buffer; visitorOf: ReadonlyMap<number, number | null> };

/** Replaces addresses by keyed hashes and places. A visitor of a deleted verification is not counted. */
export function readSources({ sourceKey, visitorOf }: SourceDeps, entry: UsageEntry): UsageSources {
  const hash = (text: string): number =>
    createHmac('sha256', sourceKey).update(text).digest().readUIntBE(0, HASH_BYTES);
  const places = new Map<string, number>();
  for (const [network, requests] of entry.networks) {
    const place = placeOf(network);
    places.set(place, (places.get(place) ?? 0) + requests);
  }
  const known = entry.visitors.filter(([id]) => visitorOf.has(id));
  const visitors = known.map(([id]) => {
    const userId = visitorOf.get(id);
    return typeof userId === 'number' ? `user ${userId}` : `verification ${id}`;
  });
  return {
    mappingId: entry.mappingId,
    latency: entry.latency,
    visitors: sketchOf(visitors.map(hash)),
    networks: sketchOf(entry.networks.map(([network]) => hash(`network ${network}`))),
    isTruncated: entry.isTruncated,
    places,
    requestsByVisitor: new Map(known),
  };
}

function sketchOf(hashes: number[]): number[] {
  return [...new Set(hashes)].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
}

/**
 * How many different elements a sketch of so many hashes stands for: exact below its full size, otherwise estimated to about
 * 6 % by the largest.
 */
export function countSketch(size: number, largest: number | null): { count: number; isExact: boolean } {
  if (size < SKETCH_SIZE || largest === null) return { count: size, isExact: true };
  return { count: Math.round(((SKETCH_SIZE - 1) * 2 ** (8 * HASH_BYTES)) / largest), isExact: false };
}
