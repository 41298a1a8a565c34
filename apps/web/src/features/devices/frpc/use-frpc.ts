import { devicesKey, useChange } from '../../../api/index.ts';

export function useCreateFrpcDevice() {
  return useChange([devicesKey], (call, name: string) => call('POST /api/user/frpc_devices/', { body: { name } }));
}

/** Shows the configuration, whose secret needs a proof of identity. */
export function useFrpcConfiguration(deviceId: number) {
  return useChange([], (call) => call('POST /api/user/routers/{id}/frpc_configuration/', { params: { id: deviceId } }));
}

export function useRotateFrpcSecret(deviceId: number) {
  return useChange([devicesKey], (call) =>
    call('POST /api/user/routers/{id}/frpc_secret/', { params: { id: deviceId } }),
  );
}

/** Shows with what the user's own frpc.toml connects, which needs a proof of identity. */
export function useFrpcAccount() {
  return useChange([], (call) => call('POST /api/user/frpc_account/', {}));
}

export function useRotateFrpcAccount() {
  return useChange([devicesKey], (call) => call('POST /api/user/frpc_account/secret/', {}));
}
