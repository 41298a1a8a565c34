import { devicesKey, useChange } from '../../../api/index.ts';
import { useWithConfirmation } from '../../confirm/use-with-confirmation.ts';

export function useCreateFrpcDevice() {
  return useChange([devicesKey], (call, name: string) => call('POST /api/user/frpc_devices/', { body: { name } }));
}

/** Shows the configuration, whose secret needs a proof of identity. */
export function useFrpcConfiguration(deviceId: number) {
  const withConfirmation = useWithConfirmation();
  return useChange([], (call) =>
    withConfirmation(() => call('POST /api/user/routers/{id}/frpc_configuration/', { params: { id: deviceId } })),
  );
}

export function useRotateFrpcSecret(deviceId: number) {
  const withConfirmation = useWithConfirmation();
  return useChange([devicesKey], (call) =>
    withConfirmation(() => call('POST /api/user/routers/{id}/frpc_secret/', { params: { id: deviceId } })),
  );
}

/** Shows with what the user's own frpc.toml connects, which needs a proof of identity. */
export function useFrpcAccount() {
  const withConfirmation = useWithConfirmation();
  return useChange([], (call) => withConfirmation(() => call('POST /api/user/frpc_account/', {})));
}

export function useRotateFrpcAccount() {
  const withConfirmation = useWithConfirmation();
  return useChange([devicesKey], (call) => withConfirmation(() => call('POST /api/user/frpc_account/secret/', {})));
}
