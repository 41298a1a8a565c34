import { useChange } from '../../../api/index.ts';

/** Has the device download the newer agent and start anew. Its version changes once it is online again. */
export function useUpgradeAgent(deviceId: number) {
  return useChange([['devices']], (call) => call('POST /api/user/routers/{id}/upgrade/', { params: { id: deviceId } }));
}
