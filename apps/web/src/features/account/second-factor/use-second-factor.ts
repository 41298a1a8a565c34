import { startRegistration } from '@simplewebauthn/browser';
import { useChange } from '../../../api/index.ts';
import { securityKey } from '../use-security.ts';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Creates a secret. The second step starts only after the user has typed a code of it. */
export function useStartTotp() {
  return useChange([securityKey], (call) => call('POST /api/user/totp/'));
}

export function useFinishTotp() {
  return useChange([securityKey], (call, code: string) => call('POST /api/user/totp/confirm/', { body: { code } }));
}

export function useTurnOffTotp() {
  return useChange([securityKey], (call) => call('DELETE /api/user/totp/'));
}

/** Creates a passkey in the browser and stores it under that name. */
export function useAddPasskey() {
  return useChange([securityKey], async (call, name: string) => {
    const { options } = await call('POST /api/user/passkeys/options/');
    // The contract passes WebAuthn's objects unchanged; the browser checks them.
    const made = await startRegistration({ optionsJSON: options as unknown as CreationOptions });
    return await call('POST /api/user/passkeys/', { body: { name, response: { ...made } } });
  });
}

export function useRenamePasskey() {
  return useChange([securityKey], (call, input: { id: number; name: string }) =>
    call('PATCH /api/user/passkeys/{id}/', { params: { id: input.id }, body: { name: input.name } }),
  );
}

export function useRemovePasskey() {
  return useChange([securityKey], (call, id: number) => call('DELETE /api/user/passkeys/{id}/', { params: { id } }));
}

export function useRenewRecoveryCodes() {
  return useChange([securityKey], (call) => call('POST /api/user/recovery_codes/'));
}

export function useTurnOffTwoStep() {
  return useChange([securityKey], (call) => call('PATCH /custom/profile/', { body: { two_step: false } }));
}
