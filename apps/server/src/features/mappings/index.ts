export { addMapping } from './add-mapping.ts';
export { describeMappings, type DescribedMapping } from './describe-mappings.ts';
export {
  deleteOldGoneMappings,
  type GoneMappingRow,
  insertGoneMappings,
  isGoneDevice,
  isGoneMapping,
  listGoneMappings,
  lockMappingsOf,
  nameGoneDevice,
} from './gone-mapping-store.ts';
export { formatHours, openingTimes } from './mapping-hours.ts';
export { mappingReply, registerMappingRoutes } from './mapping-routes.ts';
export {
  findDeviceOfMapping,
  findMapping,
  findMappingByHost,
  findOwnerOfMapping,
  holdMapping,
  holdMappingOfHost,
  keepMapping,
  lockDeviceWhole,
  lockMapping,
  listMappingsOfDevices,
  moveMapping,
  placeOfHost,
} from './mapping-store.ts';
export type { MappedHost, MappingRow } from './mapping-store.ts';
export { mappingDomain, mappingUrl, type PublicPlace } from './mapping-url.ts';
export { getOwnMapping, holdOwnMapping, lockOwnMapping } from './own-mapping.ts';
export { formatTarget } from './private-target.ts';
export { releasePrefixes } from './released-prefix.ts';
export { deleteOldReleasedPrefixes } from './released-prefix-store.ts';
export { createTxtResolver } from './resolve-txt.ts';
