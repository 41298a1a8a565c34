export { addMapping } from './add-mapping.ts';
export { describeMappings, type DescribedMapping } from './describe-mappings.ts';
export {
  deleteOldMappingRecords,
  type DeletedMappingRow,
  isDeletedDevice,
  isDeletedMapping,
  listDeletedMappings,
} from './deleted-mapping-store.ts';
export { endMappingsOfDevice, endMappingsOfUser } from './end-mappings.ts';
export {
  findHostForProof,
  findMappingForProof,
  findOwnMappingForChange,
  getOwnMapping,
  getOwnMappingForChange,
  getOwnMappingForProof,
  isThereForTicket,
} from './get-mapping.ts';
export { formatHours, openingTimes } from './mapping-hours.ts';
export { mappingReply, registerMappingRoutes } from './mapping-routes.ts';
export {
  findDeviceOfMapping,
  findMapping,
  findMappingByHost,
  findOwnerOfMapping,
  listMappingsOfDevices,
  moveMapping,
  placeOfHost,
} from './mapping-store.ts';
export type { MappedHost, MappingRow } from './mapping-store.ts';
export { mappingDomain, mappingUrl, type PublicPlace } from './mapping-url.ts';
export { formatTarget } from './private-target.ts';
export { deleteOldReleasedPrefixes } from './released-prefix-store.ts';
export { createTxtResolver } from './resolve-txt.ts';
