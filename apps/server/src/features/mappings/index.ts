export { addMapping } from './add-mapping.ts';
export { applyFrpcProxy } from './frpc-proxies/apply-frpc-proxy.ts';
export type { MappingDeps } from './mapping-deps.ts';
export { type DescribedMapping, listDescribedMappings, type ReadUsage } from './describe-mappings.ts';
export {
  deleteOldMappingRecords,
  type DeletedMappingRow,
  isDeletedDevice,
  isDeletedMapping,
  listDeletedMappings,
} from './deletion/deleted-mapping-store.ts';
export { endMappingsOfDevice, endMappingsOfUser } from './deletion/end-mappings.ts';
export {
  findHostForProof,
  findMappingForProof,
  findOwnMappingForChange,
  getOwnMapping,
  getOwnMappingForChange,
  getOwnMappingForProof,
  lockMappingForTicket,
} from './get-mapping.ts';
export { formatHours, openingTimes } from './mapping-hours.ts';
export { mappingReply, registerMappingRoutes } from './mapping-routes.ts';
export {
  findCoveringMapping,
  findDeviceOfMapping,
  findMapping,
  findMappingByHost,
  findOwnerOfMapping,
  isOverPlanLimit,
  listMappingsOfDevices,
  moveMapping,
  placeOfHost,
} from './mapping-store.ts';
export type { MappedHost, MappingRow } from './mapping-store.ts';
export { haveOpenMapping, haveProtection } from './widening-store.ts';
export { logOvertakenDomains } from './address/overtaken-domains.ts';
export { mappingDomain, mappingUrl, type PublicPlace } from './address/mapping-url.ts';
export { formatTarget, readPrivateHost } from './private-target.ts';
export { deleteOldReleasedPrefixes } from './address/released-prefix-store.ts';
export { createTxtResolver } from './address/resolve-txt.ts';
