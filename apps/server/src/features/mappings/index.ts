export { describeMappings, type DescribedMapping } from './describe-mappings.ts';
export { formatHours, openingTimes } from './mapping-hours.ts';
export { mappingReply, registerMappingRoutes } from './mapping-routes.ts';
export {
  findMapping,
  findMappingByHost,
  holdMapping,
  holdMappingOfHost,
  lockDevice,
  lockMapping,
  insertMapping,
  listMappingsOfDevices,
  moveMapping,
  placeOfHost,
} from './mapping-store.ts';
export type { MappedHost, MappingRow } from './mapping-store.ts';
export { mappingDomain, mappingUrl, type PublicPlace } from './mapping-url.ts';
export { getOwnMapping, lockOwnMapping } from './own-mapping.ts';
export { formatTarget } from './private-target.ts';
export { releasePrefixes } from './released-prefix.ts';
export { deleteOldReleasedPrefixes } from './released-prefix-store.ts';
export { createTxtResolver } from './resolve-txt.ts';
