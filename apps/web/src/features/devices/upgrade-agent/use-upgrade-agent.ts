import { useChange } from '../../../api/index.ts';

/** Has a part of the devices that can be upgraded do so; the same ones come first each time. */
export function useUpgradeAgents() {
  return useChange([['devices']], (call, percent: number) =>
    call('POST /api/user/routers/upgrade/', { body: { percent } }),
  );
}

/** Has the device download the newer agent and start anew. Its version changes once it is online again. */
export function useUpgradeAgent(deviceId: number) {
  return useChange([['devices']], (call) => call('POST /api/user/routers/{id}/upgrade/', { params: { id: deviceId } }));
}
