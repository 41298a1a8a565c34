import type { DeletedMapping, Device, Mapping } from '@tongtu/contract';
import { shownHost } from '../../address/shown-host.ts';
import { visibleName } from '../../text/devices/names.ts';
import { recordsText } from '../../text/records.ts';
import { momentText } from '../../text/moment-text.ts';
import { timeTexts } from '../../text/time.ts';
import type { RecordFilters } from './record-filters.ts';

/** `label` is the text in the list. `chosen` is the text in the field, which may show only its beginning. */
export type PlaceOption = { value: number; label: string; chosen: string };

/** A heading with the deleted options below it. */
type DeletedPlaces = { label: string; options: PlaceOption[] };

/** A deleted device or mapping. The time distinguishes those of the same name. */
type Deleted = { id: number; name: string; deletedAt: string };

function addressOfMapping({ port, domain, url }: Mapping): string {
  return port === null ? shownHost(domain) : url;
}

function addressOfDeleted({ kind, domain, port }: DeletedMapping): string {
  return port === null ? shownHost(domain) : `${kind}://${domain}:${port}`;
}

function optionOf(value: number, name: string): PlaceOption {
  return { value, label: name, chosen: name };
}

/** The server does not store a device's time of deletion; the last deletion of one of its mappings replaces it. */
function deletedDevices(deleted: readonly DeletedMapping[]): Deleted[] {
  const byId = new Map<number, Deleted>();
  for (const { router, router_deleted: isDeleted, router_name: name, deleted_at: deletedAt } of deleted) {
    // The latest comes first.
    if (!isDeleted || byId.has(router)) continue;
    byId.set(router, { id: router, name: visibleName(name, recordsText.noName), deletedAt });
  }
  return [...byId.values()];
}

function isRepeated(words: readonly string[], word: string): boolean {
  return words.indexOf(word) !== words.lastIndexOf(word);
}

/** Names; equal names get the time, with seconds where the minute is equal too. */
function deletedOptions(deleted: readonly Deleted[], nameAt: (name: string, time: string) => string): PlaceOption[] {
  const names = deleted.map(({ name }) => name);
  const inMinutes = deleted.map(({ name, deletedAt }) => nameAt(name, momentText(deletedAt)));
  return deleted.map(({ id, name, deletedAt }, index) => {
    if (!isRepeated(names, name)) return { value: id, label: name, chosen: recordsText.deletedFirst(name) };
    const isSameMinute = isRepeated(inMinutes, inMinutes[index] ?? '');
    const time = isSameMinute ? timeTexts(deletedAt).title : momentText(deletedAt);
    return { value: id, label: nameAt(name, time), chosen: recordsText.deletedFirstAt(name, time) };
  });
}

/** The address may name a device or mapping without any data. It is shown by `word`, not by its number. */
function join(
  living: PlaceOption[],
  deleted: PlaceOption[],
  { chosen, word }: { chosen: number | undefined; word: string },
): (PlaceOption | DeletedPlaces)[] {
  // The two lists load separately, so one may still contain what the other has as deleted.
  const left = living.filter(({ value }) => deleted.every((each) => each.value !== value));
  const isKnown = chosen === undefined || [...left, ...deleted].some(({ value }) => value === chosen);
  const allDeleted = isKnown ? deleted : [...deleted, optionOf(chosen, word)];
  return allDeleted.length === 0 ? left : [...left, { label: recordsText.deletedPlaces, options: allDeleted }];
}

/** The existing options, and below them the deleted ones, the latest first. */
export function placeOptions(
  devices: readonly Device[],
  deleted: readonly DeletedMapping[],
  { router, mapping }: Pick<RecordFilters, 'router' | 'mapping'>,
) {
  const isChosen = (id: number) => router === undefined || id === router;
  const mappings = devices.filter(({ id }) => isChosen(id)).flatMap((device) => device.mappings);
  const deletedMappings = deleted
    .filter((each) => isChosen(each.router))
    .map((each) => ({ id: each.id, name: addressOfDeleted(each), deletedAt: each.deleted_at }));
  return {
    devices: join(
      devices.map(({ id, name }) => optionOf(id, name)),
      deletedOptions(deletedDevices(deleted), recordsText.deviceDeletedAt),
      { chosen: router, word: recordsText.deletedDevice },
    ),
    mappings: join(
      mappings.map((each) => optionOf(each.id, addressOfMapping(each))),
      deletedOptions(deletedMappings, recordsText.deletedAt),
      { chosen: mapping, word: recordsText.deletedMapping },
    ),
  };
}
