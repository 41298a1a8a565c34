export { mappingReply, registerMappingRoutes } from './mapping-routes.ts';
export { findMapping, findMappingByHost, isOwnHost, listMappingsOfDevices } from './mapping-store.ts';
export type { MappedHost, MappingRow } from './mapping-store.ts';
export { mappingUrl } from './mapping-url.ts';
