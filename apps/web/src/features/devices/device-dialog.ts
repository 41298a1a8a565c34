import type { CloudApp, Device, Mapping } from '@tongtu/contract';
import type { LanKind } from '@tongtu/contract/lan-kinds';
import type { AppPrefill, MappingPrefill } from './lan/service-actions.ts';
import type { ManyOutcome } from './many/use-many-devices.ts';

/** The dialog that is open on the screen, if any. */
export type DeviceDialog =
  | { type: 'add-device' }
  | { type: 'bind-device'; code: string }
  | { type: 'create-mapping'; device: Device; prefill?: MappingPrefill; service?: LanKind | null }
  | { type: 'edit-mapping'; device: Device; mapping: Mapping }
  | { type: 'test'; device: Device; mapping: Mapping }
  | { type: 'sharing'; mapping: Mapping }
  | { type: 'client-window'; mapping: Mapping }
  | { type: 'allow-list'; device: Device }
  | { type: 'delete-device'; device: Device }
  | { type: 'delete-devices'; devices: readonly Device[] }
  | { type: 'move-devices'; devices: readonly Device[] }
  | { type: 'many-refused'; outcome: ManyOutcome }
  | { type: 'mapping-file'; device: Device }
  | { type: 'adopt-device'; device: Device; successorId?: number }
  | { type: 'upgrade-agent'; device: Device }
  | { type: 'diagnosis'; device: Device }
  | { type: 'frpc'; device: Device }
  | { type: 'frpc-account' }
  | { type: 'create-app'; device: Device; group: 'app' | 'files'; prefill?: AppPrefill }
  | { type: 'edit-app'; app: CloudApp }
  | { type: 'app-members'; app: CloudApp }
  | { type: 'app-sessions' };
